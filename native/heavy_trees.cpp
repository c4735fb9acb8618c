// Computes the best trees whose leaves all weigh enough. Reference: enumeration in tests/learners/test_heavy_leaves.py.
//
// A split is one of the class if both of its sides weigh enough. At the last level, where a set of categories that is
// free to be any would make a knapsack of the search, categories that do not weigh enough by themselves, of the rows
// that are there, go one way together, missing values among them; whatever has one of the others weighs enough.
//
// Without that the best children of a root pay at least as much. So the search that knows no weights (survey.cpp) gives
// a bound for every root, and the roots are gone through from the largest bound on until what was found is as large:
// more and more of them at a time, so that those on one feature share their passes over the cells.
#include <map>
#include <numeric>
#include <set>

#include "growing.hpp"
#include "heavy_leaves.hpp"
#include "order.hpp"

namespace frankboost {
namespace {

struct Weighed {
    const LeafWeights& leaves;
    const Cells& u;

    const Layout& layout() const { return u.layout; }
};

// A root, and the tree below it of the children that were looked at.
struct Grown {
    Root root{};
    double bound = 0.0;            // on what a tree below it pays
    std::array<double, 2> most{};  // what its right and its left child pay at most
    ChildFeatures first{};         // the features that are tried before all others
    std::array<Amounts, 2> all{};  // of its sides
    TwoLevels tree{};
    std::optional<OrderedPair> both{};  // below an ordered root, what pays most of children in order: right and left
    Amounts absent{};                   // where the feature of the root is missing
    bool ordered = false, done = false;

    Stump& child(std::size_t side) { return side == 1 ? tree.left : tree.right; }
    void offer(std::size_t side, const Stump& stump) {
        if (stump.pay() > child(side).pay()) child(side) = stump;
    }
    // Of the best children on either side, with a leaf on the other, and those in order, what pays most.
    void keep_order(const Layout& layout, double least) {
        std::array<bool, 2> apart{};
        for (const std::size_t side : {0, 1})
            apart[side] = absent.weight >= least && all[side].weight - absent.weight >= least;
        tree = ordered_tree(layout, tree, both ? &*both : nullptr, absent.u, apart);
    }
    bool open(std::size_t side) { return ordered || child(side).pay() < most[side]; }
};

// Roots on one feature, whose children are looked at together.
class OneFeature {
    const Weighed& data_;
    const std::vector<Grown*>& grown_;
    std::size_t f_;
    bool categorical_;
    std::vector<std::size_t> part_{};  // of each bin and, last, of missing values; no root tells bins of one part apart

    // Sums by the bins of g in each part; of numbers, in all parts up to it.
    std::vector<Amounts> sums_by_part(std::size_t g) const {
        const std::size_t width = data_.layout()[g].bins + 1;
        std::vector<Amounts> sums((part_.back() + 1) * width);
        std::vector<Amounts*> begin;  // of the sums of each bin
        for (const std::size_t part : part_) begin.push_back(sums.data() + part * width);
        data_.u.add(f_, g, begin.data(), &Amounts::u);
        data_.leaves.searched().add(f_, g, begin.data(), &Amounts::weight);
        for (std::size_t at = width; !categorical_ && at < part_.back() * width; ++at)
            sums[at] = sums[at] + sums[at - width];
        return sums;
    }

    void offer_in_order(Grown& to, std::size_t g, const Amounts* left, const Amounts* right) const {
        const bool rises = data_.layout()[f_].sign > 0;
        auto pair = heavy_in_order(data_.layout(), g, rises ? left : right, rises ? right : left, data_.leaves.least);
        if (!pair) return;
        if (rises) std::swap((*pair)[0], (*pair)[1]);
        if (!to.both || (*pair)[0].pay() + (*pair)[1].pay() > (*to.both)[0].pay() + (*to.both)[1].pay()) to.both = pair;
    }

  public:
    OneFeature(const Weighed& data, const std::vector<Grown*>& grown)
        : data_(data), grown_(grown), f_(grown[0]->root.feature), categorical_(data.layout()[f_].categorical) {
        std::vector<std::uint8_t> last(data.layout()[f_].bins, categorical_);  // whether a bin is that of its part
        for (const Grown* each : grown)
            if (!categorical_) last[each->root.number] = 1;
        part_.push_back(0);
        for (const std::uint8_t ends : last) part_.push_back(part_.back() + ends);
        if (!categorical_) ++part_.back();
    }

    // Offer g to the sides that want it.
    template <class Wants>
    void look_at(std::size_t g, const Wants& wants) {
        std::vector<Grown*> some;
        for (Grown* each : grown_)
            if (wants(*each, 0) || wants(*each, 1)) some.push_back(each);
        if (some.empty()) return;
        const Layout& layout = data_.layout();
        const std::size_t width = layout[g].bins + 1, missing = part_.back();
        const std::vector<Amounts> sums = sums_by_part(g);
        const auto add = [&](std::size_t part, std::vector<Amounts>& to) {
            for (std::size_t k = 0; k < width; ++k) to[k] = to[k] + sums[part * width + k];
        };
        std::vector<Amounts> whole(width);
        for (std::size_t part = categorical_ ? 0 : missing - 1; part <= missing; ++part) add(part, whole);
        for (Grown* each : some) {
            std::vector<Amounts> left(width), right(width);
            if (!categorical_) add(part_[each->root.number], left);
            for (std::size_t c = 0; categorical_ && c < missing; ++c)
                if (each->tree.root.set.has(c)) add(c, left);
            if (each->root.variant == 1) add(missing, left);
            for (std::size_t k = 0; k < width; ++k) right[k] = whole[k] - left[k];
            for (const std::size_t side : {0, 1}) {
                const std::vector<Amounts>& sums = side == 1 ? left : right;
                Amounts& all = each->all[side];
                if (all.weight == 0.0) all = std::accumulate(sums.begin(), sums.end(), Amounts{});
                if (wants(*each, side))
                    each->offer(side, heavy_stump(layout, g, reach_of(layout, g, each->tree.root, side), sums.data(),
                                                  all, data_.leaves.least));
            }
            if (each->ordered) {
                each->absent = std::accumulate(&sums[missing * width], &sums[missing * width] + width, Amounts{});
                if (g != f_) offer_in_order(*each, g, left.data(), right.data());
            }
        }
    }
};

// First the features are tried that pay most without weights, then all others where they could pay more.
void grow_together(const Weighed& data, const std::vector<Grown*>& grown) {
    const Layout& layout = data.layout();
    OneFeature roots(data, grown);
    std::set<std::size_t> first;
    for (const Grown* each : grown) first.insert(each->first.begin(), each->first.end());
    for (const std::size_t g : first)
        roots.look_at(g, [&](Grown& each, std::size_t side) { return each.first[side] == g; });
    for (std::size_t g = 0; g < layout.features(); ++g)
        if (layout[g].splits() && layout.together(grown[0]->root.feature, g))
            roots.look_at(g, [&](Grown& each, std::size_t side) { return each.open(side); });
    for (Grown* each : grown) {
        each->done = true;
        if (each->ordered) each->keep_order(layout, data.leaves.least);
    }
}

// Every root both sides of which weigh enough, with what its children pay at most, best first.
std::vector<Grown> heavy_roots(const Weighed& data, const Children& free) {
    const Layout& layout = data.layout();
    std::vector<Grown> roots;
    for (std::size_t f = 0; f < layout.features(); ++f)
        layout.for_each_root(f, [&](const Root& root) {
            const std::size_t at = layout.place(root);
            if (!data.leaves.allow(at)) return;
            Grown& each = roots.emplace_back();
            each.root = root;
            each.ordered = layout.ordered(root);
            each.bound = free.left[at].value + free.right[at].value;
            each.most = {free.right[at].value, free.left[at].value};
            each.first = {static_cast<std::size_t>(free.right[at].feature),
                          static_cast<std::size_t>(free.left[at].feature)};
            each.tree.root = split_of(layout, root);
        });
    std::stable_sort(roots.begin(), roots.end(), [](const auto& a, const auto& b) { return a.bound > b.bound; });
    return roots;
}

// The trees below roots, those on one feature together.
void grow_all(const Weighed& data, const std::vector<Grown*>& some, int threads) {
    std::map<std::size_t, std::vector<Grown*>> by_feature;
    for (Grown* each : some)
        if (!each->done) by_feature[each->root.feature].push_back(each);
    std::vector<std::vector<Grown*>> tasks;
    for (auto& [f, each] : by_feature) tasks.push_back(std::move(each));
    const int workers = threads_worth(8.0 * data.u.cost() * static_cast<double>(some.size()), threads);
    parallel_for(tasks.size(), workers, [&](std::size_t task, std::size_t) { grow_together(data, tasks[task]); });
}

// The trees of roots among which are the best of so many features.
std::vector<TwoLevels> grow_leading(const Weighed& data, const Children& free, std::size_t columns, int threads,
                                    Stop& stop) {
    constexpr std::size_t together = 16;  // roots at a time
    std::size_t ahead = 64;               // roots that are grown at a time
    std::vector<Grown> roots = heavy_roots(data, free);
    std::vector<double> best(data.layout().features(), -1.0);
    const auto open = [&](const Grown& each) { return best[each.root.feature] < each.bound; };
    std::vector<TwoLevels> grown;
    for (std::size_t next = 0; next < roots.size() && !stop();) {
        std::vector<Grown*> some;
        const std::size_t begin = next;
        for (; next < roots.size() && some.size() < together; ++next) {
            const auto done = std::count_if(best.begin(), best.end(),
                                            [&, bound = roots[next].bound](double value) { return value >= bound; });
            if (static_cast<std::size_t>(done) >= columns) break;
            if (open(roots[next])) some.push_back(&roots[next]);
        }
        if (some.empty()) break;
        if (!some.back()->done) {
            std::vector<Grown*> following;
            for (std::size_t at = begin; at < roots.size() && following.size() < ahead; ++at)
                if (open(roots[at])) following.push_back(&roots[at]);
            grow_all(data, following, threads);
            ahead *= 2;
        }
        for (const Grown* each : some) {
            grown.push_back(each->tree);
            best[each->root.feature] = std::max(best[each->root.feature], each->tree.value());
        }
    }
    return grown;
}

Trees heavy_stumps(const Weighed& data, std::size_t columns) {
    const double sum = data.u.total();
    std::vector<Growing> trees;
    for (std::size_t f = 0; f < data.layout().features(); ++f) {
        const std::vector<double> u = data.u.by_bin(f), weight = data.leaves.searched().by_bin(f);
        std::vector<Amounts> sums;
        for (std::size_t c = 0; c < u.size(); ++c) sums.push_back({u[c], weight[c]});
        const Amounts all = std::accumulate(sums.begin(), sums.end(), Amounts{});
        trees.emplace_back(sum).split(
            0, heavy_stump(data.layout(), f, reach_of(data.layout()[f]), sums.data(), all, data.leaves.least));
    }
    keep_best(trees, columns);
    return flat(trees);
}

}  // namespace

Trees heavy_trees(const LeafWeights& leaves, const Cells& u, std::size_t depth, std::size_t columns, int threads,
                  Stop& stop) {
    const std::unique_ptr<Cells> merged = leaves.bins.merges() ? u.merged(leaves.bins) : nullptr;
    const Weighed data{leaves, merged ? *merged : u};
    if (depth == 1) return leaves.bins.restored(heavy_stumps(data, columns));
    const Children free = data.u.children(threads, stop);
    std::vector<TwoLevels> grown = grow_leading(data, free, columns, threads, stop);
    return leaves.bins.restored(best_first(std::move(grown), u.total(), columns, data.layout()));
}

}  // namespace frankboost
