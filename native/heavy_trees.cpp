// The best trees each of whose leaves holds at least some of the weight of the training rows.
//
// A split is one of the class if both of its sides weigh enough. Of the children below a root, what counts is thus not
// the largest prefix of all but that of the splits whose sides weigh enough: the sums of u and those of the weights are
// looked at together. Below the last splits are leaves, and a set of categories that is free to be any would make a
// knapsack of the search. So categories that do not weigh enough by themselves, of those that reach the split, go one
// way together, missing values among them. Whatever has one of the others then weighs enough.
#include <cstring>
#include <numeric>

#include "growing.hpp"
#include "root_sides.hpp"

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

// Offer child g below every root on f both sides of which weigh enough; `gather` as in for_each_left, for the sums of u
// and then those of the weights.
template <class Gather>
void offer_heavy(const Layout& layout, std::size_t f, std::size_t g, double least, Gather&& gather,
                 Children& children) {
    const FeatureKind& root = layout[f];
    const std::size_t cells = layout[g].bins + 1, width = 2 * cells;
    std::vector<double> total(width, 0.0), absent(width, 0.0), left(width), right(width);
    for (std::size_t bin = 0; bin <= root.bins; ++bin) gather(bin, total.data());
    gather(root.bins, absent.data());
    const auto weighs = [&](const std::vector<double>& side) {
        return std::accumulate(side.begin() + static_cast<std::ptrdiff_t>(cells), side.end(), 0.0) >= least;
    };
    const auto pay = [&](const std::vector<double>& side) {
        return heavy_stump(layout, g, {side.data(), side.data() + cells}, least).pay();
    };
    const auto visit = [&](std::size_t number, const std::vector<double>& sums) {
        for (std::size_t variant = 0; variant < root.variants; ++variant) {
            for (std::size_t k = 0; k < width; ++k) {
                left[k] = sums[k] + (variant == 1 ? absent[k] : 0.0);
                right[k] = total[k] - left[k];
            }
            if (weighs(left) && weighs(right))
                children.offer(layout.place({f, number, variant}), g, pay(left), pay(right));
        }
    };
    for_each_left(root, width, gather, visit);
}

// Prefix sums along a child's numbers on one side of a root: start[k] + c[k] on its left, start[k] - c[k] on its right.
// Those of all its numbers and of missing values, too.
struct Side {
    const double *start, *c;
    double sign, present, absent;
    double operator[](std::size_t k) const { return start[k] + sign * c[k]; }
    double whole() const { return present + absent; }
};

constexpr std::size_t lanes = 8;
typedef double Vector __attribute__((vector_size(lanes * sizeof(double))));

// The largest and the smallest prefix from one cut up to another.
FRANKBOOST_VECTORISED void extremes_between(const Side& side, std::size_t from, std::size_t to, double* high,
                                            double* low) {
    Vector most = Vector{} - infinity, least = Vector{} + infinity;
    std::size_t k = from;
    for (; k + lanes <= to; k += lanes) {
        Vector start, c;
        std::memcpy(&start, side.start + k, sizeof(Vector));
        std::memcpy(&c, side.c + k, sizeof(Vector));
        const Vector here = start + side.sign * c;
        most = here > most ? here : most;
        least = here < least ? here : least;
    }
    for (; k < to; ++k) {
        *high = std::max(*high, side.start[k] + side.sign * side.c[k]);
        *low = std::min(*low, side.start[k] + side.sign * side.c[k]);
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        *high = std::max(*high, most[lane]);
        *low = std::min(*low, least[lane]);
    }
}

// What the best stump with so many cuts pays on a side of a root.
double side_pays(const Side& u, const Side& weight, std::size_t cuts, double least) {
    const double sum = u.whole(), whole = weight.whole();
    if (whole < least) return -infinity;
    double best = std::fabs(sum);
    for (std::size_t missing_left = 0; missing_left < (weight.absent > 0.0 ? 2 : 1); ++missing_left) {
        const double gone = missing_left ? weight.absent : 0.0, u_gone = missing_left ? u.absent : 0.0;
        // Weights grow along the cuts: those whose sides weigh enough are neighbours.
        const auto first = [&](auto&& enough) {
            std::size_t from = 0, to = cuts;
            while (from < to) {
                const std::size_t middle = (from + to) / 2;
                if (enough(weight[middle] + gone))
                    to = middle;
                else
                    from = middle + 1;
            }
            return from;
        };
        const std::size_t from = first([&](double left) { return left >= least; });
        const std::size_t to = first([&](double left) { return whole - left < least; });
        if (from >= to) continue;
        double high = -infinity, low = infinity;
        extremes_between(u, from, to, &high, &low);
        best = std::max({best, 2.0 * (high + u_gone) - sum, sum - 2.0 * (low + u_gone)});
    }
    return best;
}

// A table summed along both axes, the root's bins down, the child's along.
struct Summed {
    const double* cell;
    std::size_t F, G;
    std::vector<double> nothing, total;  // of the rows where the root's feature is there; total: of all

    Summed(const double* cell_, std::size_t F_, std::size_t G_) : cell(cell_), F(F_), G(G_), nothing(G_ + 1, 0.0) {
        for (std::size_t k = 0; k <= G; ++k) total.push_back(row(F - 1)[k] + row(F)[k]);
    }
    const double* row(std::size_t t) const { return cell + t * (G + 1); }
    Side of(const double* start, std::size_t t, double sign) const {
        const double* c = row(t);
        return {start, c, sign, start[G - 1] + sign * c[G - 1], start[G] + sign * c[G]};
    }
    Side left(std::size_t t, std::size_t variant) const { return of(variant ? row(F) : nothing.data(), t, 1.0); }
    Side right(std::size_t t, std::size_t variant) const { return of(variant ? row(F - 1) : total.data(), t, -1.0); }
};

// The same as offer_heavy where both features have numbers.
void offer_numbers(const Layout& layout, std::size_t f, std::size_t g, double least, const std::array<Table, 2>& summed,
                   Children& children) {
    const std::size_t F = layout[f].bins, G = layout[g].bins;
    const Summed u(summed[0].data(), F, G), weight(summed[1].data(), F, G);
    for (std::size_t variant = 0; variant < layout[f].variants; ++variant)
        for (std::size_t t = 0; t + 1 < F; ++t) {
            const double left = side_pays(u.left(t, variant), weight.left(t, variant), G - 1, least);
            const double right = side_pays(u.right(t, variant), weight.right(t, variant), G - 1, least);
            if (left >= 0.0 && right >= 0.0) children.offer(layout.place({f, t, variant}), g, left, right);
        }
}

void turn(const Table& table, std::size_t height, std::size_t width, Table& turned) {
    constexpr std::size_t some = 8;  // rows and columns that fit into the fastest memory
    turned.resize(table.size());
    for (std::size_t row = 0; row < height; row += some)
        for (std::size_t column = 0; column < width; column += some)
            for (std::size_t k = column; k < std::min(column + some, width); ++k)
                for (std::size_t t = row; t < std::min(row + some, height); ++t)
                    turned[k * height + t] = table[t * width + k];
}

void look_at_same(const Weighed& data, std::size_t f, Children& children) {
    const auto u = histogram(data.rows, f, signed_weight), weight = histogram(data.all, f, signed_weight);
    const auto gather = [&](std::size_t bin, double* out) {
        out[bin] += u[bin];
        out[u.size() + bin] += weight[bin];
    };
    offer_heavy(data.layout(), f, f, data.least, gather, children);
}

void look_at_pair(const Weighed& data, std::size_t f, std::size_t g, std::array<Table, 2>& tables, Children& children) {
    const Layout& layout = data.layout();
    for (Table& table : tables) table.assign(table_size(layout, f, g), 0.0);
    fill_table(data.rows, f, g, tables[0].data());
    fill_table(data.all, f, g, tables[1].data());
    const std::size_t height = layout[f].bins + 1, width = layout[g].bins + 1;
    if (!layout.categorical(f, g)) {
        for (Table& table : tables) sum_table(layout, f, g, table);
        offer_numbers(layout, f, g, data.least, tables, children);
        std::array<Table, 2> turned;
        for (std::size_t k : {0, 1}) turn(tables[k], height, width, turned[k]);
        return offer_numbers(layout, g, f, data.least, turned, children);
    }
    const auto along = [&](std::size_t bin, double* out) {
        for (const Table& table : tables)
            for (std::size_t k = 0; k < width; ++k) *out++ += table[bin * width + k];
    };
    const auto down = [&](std::size_t bin, double* out) {
        for (const Table& table : tables)
            for (std::size_t t = 0; t < height; ++t) *out++ += table[t * width + bin];
    };
    offer_heavy(layout, f, g, data.least, along, children);
    offer_heavy(layout, g, f, data.least, down, children);
}

// Every root with its best children; those whose sides do not weigh enough pay less than nothing.
Children survey_heavy(const Weighed& data, int threads, Stop& stop) {
    const Layout& layout = data.layout();
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    double cost = 0.0;
    for (std::size_t f = 0; f < layout.features(); ++f)
        for (std::size_t g = f; g < layout.features(); ++g)
            if (layout[f].splits() && layout[g].splits() && layout.together(f, g)) {
                pairs.push_back({f, g});
                cost += 4.0 * static_cast<double>(data.all.size() + table_size(layout, f, g));
            }
    Children nothing(layout);
    for (std::size_t at = 0; at < nothing.left.size(); ++at)
        nothing.left[at].value = nothing.right[at].value = -infinity;
    const auto workers = static_cast<std::size_t>(threads_worth(cost, threads));
    std::vector<Children> children(workers, nothing);
    std::vector<std::array<Table, 2>> tables(workers);
    const auto look = [&](std::size_t task, std::size_t worker) {
        const auto [f, g] = pairs[task];
        if (f == g)
            look_at_same(data, f, children[worker]);
        else
            look_at_pair(data, f, g, tables[worker], children[worker]);
    };
    parallel_for(pairs.size(), static_cast<int>(workers), look, stop);
    for (std::size_t worker = 1; worker < workers; ++worker) children[0].merge(children[worker]);
    return std::move(children[0]);
}

TwoLevels grow_heavy(const Weighed& data, const Root& root, const ChildFeatures& g) {
    TwoLevels tree;
    tree.root = split_of(data.layout(), root);
    const auto u = sides_of(data.rows, tree.root, g), weight = sides_of(data.all, tree.root, g);
    const auto stump = [&](std::size_t side) {
        return heavy_stump(data.layout(), g[side], {u[side].data(), weight[side].data()}, data.least);
    };
    tree.left = stump(1);
    tree.right = stump(0);
    return tree;
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
    const Weighed rows(data, u, weight, least);
    if (depth == 1) return heavy_stumps(rows, columns);
    const Children children = survey_heavy(rows, threads, stop);
    const auto sums = [&](std::size_t f) { return histogram(rows.rows, f, signed_weight); };
    std::vector<TwoLevels> grown;
    for (const BestRoot& root : leading_roots(rows.layout(), children, columns, sums))
        grown.push_back(grow_heavy(rows, root.root, child_features(children, rows.layout().place(root.root))));
    const double sum = std::accumulate(rows.rows.weight.begin(), rows.rows.weight.end(), 0.0);
    return in_order(std::move(grown), sum, columns, rows.layout());
}

}  // namespace frankboost
