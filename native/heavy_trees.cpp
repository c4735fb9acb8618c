// The best trees each of whose leaves holds at least some of the weight of the training rows.
//
// A split is one of the class if both of its sides weigh enough. At the last level, where a set of categories that is
// free to be any would make a knapsack of the search, categories that do not weigh enough by themselves, of the rows
// that are there, go one way together, missing values among them; whatever has one of the others weighs enough.
//
// Without that the best children of a root pay at least as much. So the search that knows no weights (survey.cpp) gives
// a bound for every root, and the roots are gone through from the largest bound on until what was found is as large.
// Before, thresholds are left out that no node could use, which makes the bounds far closer where values are rare.
#include <numeric>

#include "growing.hpp"

namespace frankboost {
namespace {

// The rows twice: those that count in u, and all by their weights.
struct Weighed {
    Rows rows, all;
    double least;

    Weighed(const Features& data, const double* u, const double* weight, double least_)
        : rows(data, u), all(data, weight), least(least_) {}
    const Layout& layout() const { return rows.layout; }
};

// The last bins on the left of those thresholds at which both sides of all rows weigh enough, from the weights by bin.
std::vector<std::int32_t> usable(const std::vector<double>& weight, double least) {
    const double missing = weight.back(), bar = least * (1.0 - 1e-9);  // sums in another order may be a little more
    const double numbers = std::accumulate(weight.begin(), weight.end() - 1, 0.0);
    std::vector<std::int32_t> kept;
    double left = 0.0;
    for (std::size_t t = 0; t + 2 < weight.size(); ++t) {
        left += weight[t];
        const double right = numbers - left;
        if ((left + missing >= bar && right >= bar) || (left >= bar && right + missing >= bar))
            kept.push_back(static_cast<std::int32_t>(t));
    }
    return kept;
}

// The features with usable thresholds alone. Categories stay.
class UsableFeatures {
    std::vector<std::vector<std::int32_t>> kept_;
    std::vector<std::int32_t> bins_;
    std::variant<std::vector<std::uint8_t>, std::vector<std::int32_t>> codes_;
    Features data_;

    template <class Code>
    void fill(const Code* from) {
        auto& codes = codes_.emplace<std::vector<Code>>(data_.features * data_.rows);
        for (std::size_t f = 0; f < data_.features; ++f) {
            std::vector<Code> code(static_cast<std::size_t>(data_.bins[f]) + 1);
            std::iota(code.begin(), code.end(), Code{0});
            if (data_.categorical[f] == 0) {
                std::size_t bin = 0;
                for (std::size_t c = 0; c + 1 < code.size(); ++c) {
                    code[c] = static_cast<Code>(bin);
                    if (bin < kept_[f].size() && kept_[f][bin] == static_cast<std::int32_t>(c)) ++bin;
                }
                code.back() = static_cast<Code>(bins_[f]);
            }
            for (std::size_t i = f * data_.rows; i < (f + 1) * data_.rows; ++i) codes[i] = code[from[i]];
        }
        data_.codes = codes.data();
    }

  public:
    UsableFeatures(const Features& data, const Rows& all, double least) : kept_(data.features), data_(data) {
        for (std::size_t f = 0; f < data.features; ++f) {
            if (data.categorical[f] == 0) kept_[f] = usable(histogram(all, f, signed_weight), least);
            bins_.push_back(data.categorical[f] != 0 ? data.bins[f] : static_cast<std::int32_t>(kept_[f].size()) + 1);
        }
        std::visit([&](const auto* from) { fill(from); }, data.codes);
        data_.bins = bins_.data();
    }
    UsableFeatures(const UsableFeatures&) = delete;  // features point into this

    const Features& features() const { return data_; }
    // The trees with splits of the features as they were.
    Trees restored(Trees trees) const {
        for (Node& node : trees.nodes)
            if (node.feature >= 0 && node.set_index < 0)
                node.last_bin = kept_[static_cast<std::size_t>(node.feature)][static_cast<std::size_t>(node.last_bin)];
        return trees;
    }
};

// Sums of u and of weights, each by the bins of a child.
struct Sums2 {
    const double *u, *weight;
};

Stump heavy_number_stump(std::size_t g, std::size_t bins, const Sums2& sums, double least) {
    const double sum = std::accumulate(sums.u, sums.u + bins + 1, 0.0);
    const double whole = std::accumulate(sums.weight, sums.weight + bins + 1, 0.0);
    Stump best{{}, sum, 0.0};
    double value = std::fabs(sum), u = 0.0, weight = 0.0;
    const auto consider = [&](std::size_t t, double left, double weight_left, bool missing_left) {
        if (weight_left < least || whole - weight_left < least || std::fabs(2.0 * left - sum) <= value) return;
        value = std::fabs(2.0 * left - sum);
        best = {{split_node(g, t, missing_left, -1), {}}, left, sum - left};
    };
    for (std::size_t t = 0; t + 1 < bins; ++t) {
        u += sums.u[t];
        weight += sums.weight[t];
        consider(t, u, weight, false);
        if (sums.weight[bins] > 0.0) consider(t, u + sums.u[bins], weight + sums.weight[bins], true);
    }
    return best;
}

Stump heavy_category_stump(std::size_t g, std::size_t bins, const Sums2& sums, double least) {
    // What goes one way together is a group; the last one has all light categories.
    const auto heavy = [&](std::size_t c) { return sums.weight[c] >= least; };
    double light = 0.0, light_weight = 0.0, sum = 0.0;
    std::size_t heavies[2] = {0, 0};                 // right and left
    std::size_t cheapest[2] = {bins + 1, bins + 1};  // of them
    Stump best;
    for (std::size_t c = 0; c <= bins; ++c) {
        sum += sums.u[c];
        if (!heavy(c)) {
            light += sums.u[c];
            light_weight += sums.weight[c];
            continue;
        }
        const std::size_t side = sums.u[c] > 0.0 ? 1 : 0;
        (side == 1 ? best.left : best.right) += sums.u[c];
        ++heavies[side];
        std::size_t& least_loss = cheapest[side];
        if (least_loss > bins || std::fabs(sums.u[c]) < std::fabs(sums.u[least_loss])) least_loss = c;
    }
    const std::size_t side = light > 0.0 ? 1 : 0;
    (side == 1 ? best.left : best.right) += light;
    const Stump leaf{{}, sum, 0.0};
    std::size_t moved = bins + 1;  // to where the light ones are alone
    if (heavies[side] == 0 && light_weight < least) {
        if (heavies[1 - side] < 2) return leaf;
        moved = cheapest[1 - side];
        (side == 1 ? best.left : best.right) += sums.u[moved];
        (side == 1 ? best.right : best.left) -= sums.u[moved];
    } else if (heavies[1 - side] == 0) {
        return leaf;
    }
    if (best.pay() <= leaf.pay()) return leaf;
    const auto left = [&](std::size_t c) {
        if (c == moved || !heavy(c)) return side == 1;
        return sums.u[c] > 0.0;
    };
    best.split.node = split_node(g, 0, left(bins), 0);
    for (std::size_t c = 0; c < bins; ++c) best.split.set.put(c, left(c));
    return best;
}

Stump heavy_stump(const Layout& layout, std::size_t g, const Sums2& sums, double least) {
    const auto stump = layout[g].categorical ? heavy_category_stump : heavy_number_stump;
    return stump(g, layout[g].bins, sums, least);
}

// Whether both sides of a root weigh enough, from the weights by the bins of its feature.
bool weighs_enough(const Split& root, const std::vector<double>& weight, double least) {
    const std::vector<std::uint8_t> left = root.sent_left(weight.size() - 1);
    double sides[2] = {0.0, 0.0};
    for (std::size_t c = 0; c < weight.size(); ++c) sides[left[c]] += weight[c];
    return sides[0] >= least && sides[1] >= least;
}

// The tree below a root. `free` has what children pay at most: first those are tried that pay so much, then all others
// where they could pay more.
TwoLevels grow_heavy(const Weighed& data, const Root& root, const Children& free) {
    const Layout& layout = data.layout();
    const std::size_t at = layout.place(root);
    const double most[2] = {free.right[at].value, free.left[at].value};
    TwoLevels tree;
    tree.root = split_of(layout, root);
    bool begun = false;
    const auto consider = [&](const ChildFeatures& g) {
        const auto u = sides_of(data.rows, tree.root, g), weight = sides_of(data.all, tree.root, g);
        for (std::size_t side : {0, 1}) {
            const Stump stump = heavy_stump(layout, g[side], {u[side].data(), weight[side].data()}, data.least);
            Stump& best = side == 1 ? tree.left : tree.right;
            if (!begun || stump.pay() > best.pay()) best = stump;
        }
        begun = true;
    };
    consider(child_features(free, at));
    for (std::size_t g = 0; g < layout.features(); ++g) {
        if (tree.right.pay() >= most[0] && tree.left.pay() >= most[1]) break;
        if (layout[g].splits() && layout.together(root.feature, g)) consider({g, g});
    }
    return tree;
}

// Every root both sides of which weigh enough, with what its children pay at most, best first.
std::vector<BestRoot> heavy_roots(const Weighed& data, const Children& free) {
    const Layout& layout = data.layout();
    std::vector<BestRoot> roots;
    for (std::size_t f = 0; f < layout.features(); ++f) {
        const std::vector<double> weight = histogram(data.all, f, signed_weight);
        layout.for_each_root(f, [&](const Root& root) {
            if (weighs_enough(split_of(layout, root), weight, data.least))
                roots.push_back({root, free.value(layout.place(root))});
        });
    }
    std::stable_sort(roots.begin(), roots.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    return roots;
}

// The trees of roots among which are the best of so many features.
std::vector<TwoLevels> grow_leading(const Weighed& data, const Children& free, std::size_t columns, int threads,
                                    Stop& stop) {
    constexpr std::size_t together = 16;  // roots at a time
    const std::vector<BestRoot> roots = heavy_roots(data, free);
    std::vector<double> best(data.layout().features(), -1.0);
    std::vector<TwoLevels> grown;
    for (std::size_t next = 0; next < roots.size() && !stop();) {
        std::vector<const BestRoot*> some;
        for (; next < roots.size() && some.size() < together; ++next) {
            const double bound = roots[next].value;
            const auto done = std::count_if(best.begin(), best.end(), [&](double value) { return value >= bound; });
            if (static_cast<std::size_t>(done) >= columns) break;
            if (best[roots[next].root.feature] < bound) some.push_back(&roots[next]);
        }
        if (some.empty()) break;
        const std::size_t before = grown.size();
        grown.resize(before + some.size());
        const int workers = threads_worth(8.0 * static_cast<double>(data.all.size() * some.size()), threads);
        parallel_for(some.size(), workers, [&](std::size_t task, std::size_t) {
            grown[before + task] = grow_heavy(data, some[task]->root, free);
        });
        for (std::size_t task = 0; task < some.size(); ++task) {
            double& value = best[some[task]->root.feature];
            value = std::max(value, grown[before + task].value());
        }
    }
    return grown;
}

Trees heavy_stumps(const Weighed& data, std::size_t columns) {
    const double sum = std::accumulate(data.rows.weight.begin(), data.rows.weight.end(), 0.0);
    std::vector<Growing> trees;
    for (std::size_t f = 0; f < data.layout().features(); ++f) {
        const auto u = histogram(data.rows, f, signed_weight), weight = histogram(data.all, f, signed_weight);
        trees.emplace_back(sum).split(0, heavy_stump(data.layout(), f, {u.data(), weight.data()}, data.least));
    }
    keep_best(trees, columns);
    return flat(trees);
}

}  // namespace

Trees heavy_trees(const Features& data, const double* u, const double* weight, double least, std::size_t depth,
                  std::size_t columns, int threads, Stop& stop) {
    const UsableFeatures features(data, Rows(data, weight), least);
    const Weighed rows(features.features(), u, weight, least);
    if (depth == 1) return features.restored(heavy_stumps(rows, columns));
    const std::vector<std::uint8_t> every(rows.layout().features(), 1);
    const Children free = survey(rows.rows, FixedPoint{}, every, threads, stop);
    const double sum = std::accumulate(rows.rows.weight.begin(), rows.rows.weight.end(), 0.0);
    return features.restored(in_order(grow_leading(rows, free, columns, threads, stop), sum, columns, rows.layout()));
}

}  // namespace frankboost
