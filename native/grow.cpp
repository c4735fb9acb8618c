// Makes splits from sums of u by bin, and depth-2 trees from root splits. One pass over the rows fills the histograms
// of both children. Reference: best_edge and tree_values of tests/reference.py, by brute force.
//
// A stump sends each category to the leaf of its sign. The root of a depth-2 tree has no such rule: its sets are tried
// one by one. Missing values go left or right, and may be alone on a side. Categories and missing values without weight
// go to the side with more weight.
#include <numeric>

#include "order.hpp"

namespace frankboost {

Node split_node(std::size_t feature, std::size_t last_bin, bool missing_left, std::int32_t set_index) {
    Node node;
    node.feature = static_cast<std::int32_t>(feature);
    node.last_bin = static_cast<std::int32_t>(last_bin);
    node.missing_left = missing_left;
    node.set_index = set_index;
    return node;
}

namespace {

// Whether a split sends more weight left, by the masses of categories and, last, of missing values.
bool heavier_left(const Split& split, const std::vector<double>& mass) {
    const std::vector<std::uint8_t> left = split.sent_left(mass.size() - 1);
    double sides[2] = {0.0, 0.0};
    for (std::size_t c = 0; c < mass.size(); ++c) sides[left[c]] += mass[c];
    return sides[1] > sides[0];
}

// The best stump of a feature of numbers, from its sums of u by bin.
Stump number_stump(std::size_t g, const std::vector<double>& sums, int sign, const Reach& reach) {
    const std::size_t bins = sums.size() - 1;
    const double absent = sums[bins];
    const double present = std::accumulate(sums.begin(), sums.end() - 1, 0.0), sum = present + absent;
    Stump best{{}, sum, 0.0};
    double value = std::fabs(sum), prefix = 0.0;
    const auto consider = [&](std::size_t t, double left, bool missing_left) {
        if (std::fabs(2.0 * left - sum) <= value) return;
        if (sign * (2.0 * left - sum) > 0.0 && reach.first <= t && t < reach.last) return;
        value = std::fabs(2.0 * left - sum);
        best = {{split_node(g, t, missing_left, -1), {}}, left, sum - left};
    };
    // The split between missing values and all numbers comes first, as it is the simplest of those that pay the same.
    if (absent != 0.0 && bins > 1) consider(bins - 2, present - sums[bins - 1], false);
    for (std::size_t t = 0; t + 1 < bins; ++t) {
        prefix += sums[t];
        consider(t, prefix, false);
        consider(t, prefix + absent, true);
    }
    return best;
}

// The best stump of a categorical feature, from its sums of u and of |u| by category.
Stump category_stump(std::size_t g, const std::vector<double>& sums, std::vector<double> mass) {
    const std::size_t categories = sums.size() - 1;
    Stump best;
    for (double sum : sums) (sum > 0.0 ? best.left : best.right) += sum;
    if (best.left <= 0.0 || best.right >= 0.0) return best;
    best.split.node = split_node(g, 0, sums.back() > 0.0, 0);
    for (std::size_t c = 0; c <= categories; ++c) {
        if (c < categories) best.split.set.put(c, sums[c] > 0.0);
        if (sums[c] == 0.0) mass[c] = 0.0;  // it must not decide where it goes itself
    }
    const bool heavier = heavier_left(best.split, mass);
    for (std::size_t c = 0; c < categories; ++c)
        if (sums[c] == 0.0) best.split.set.put(c, heavier);
    if (sums.back() == 0.0) best.split.node.missing_left = heavier;
    return best;
}

// Flags of the rows that a split sends left.
std::vector<std::uint8_t> rows_left(const Rows& rows, const Split& split) {
    const auto f = static_cast<std::size_t>(split.node.feature);
    const std::vector<std::uint8_t> goes = split.sent_left(rows.layout[f].bins);
    std::vector<std::uint8_t> left(rows.size());
    const auto look_up = [&](const auto* code) {
        for (std::size_t i = 0; i < rows.size(); ++i) left[i] = goes[code[i]];
    };
    rows.with_codes(look_up, f);
    return left;
}

// Sums of amount(u) by bin of g[0] over the rows right of a root, and by bin of g[1] over the rows left of it. The
// single pass has no branch, as a processor could not predict the side of a row.
template <class Amount>
std::array<std::vector<double>, 2> side_histograms(const Rows& rows, const std::vector<std::uint8_t>& left,
                                                   const ChildFeatures& g, Amount amount) {
    std::array<std::vector<double>, 2> sums;
    for (std::size_t side : {0, 1}) sums[side].assign(rows.layout[g[side]].bins + 1, 0.0);
    const auto add = [&](const auto* right_codes, const auto* left_codes) {
        const decltype(left_codes) codes[2] = {right_codes, left_codes};
        double* const cells[2] = {sums[0].data(), sums[1].data()};
        for (std::size_t i = 0; i < rows.size(); ++i) cells[left[i]][codes[left[i]][i]] += amount(rows.weight[i]);
    };
    rows.with_codes(add, g[0], g[1]);
    return sums;
}

}  // namespace

Reach reach_of(const FeatureKind& kind) { return {0, kind.present ? kind.bins - 2 : kind.bins}; }

Reach reach_of(const Layout& layout, std::size_t g, const Split& root, std::size_t side) {
    Reach reach = reach_of(layout[g]);
    if (layout[g].sign == 0 || static_cast<std::size_t>(root.node.feature) != g) return reach;
    const auto cut = static_cast<std::size_t>(root.node.last_bin);
    (side == 1 ? reach.last : reach.first) = side == 1 ? std::min(reach.last, cut) : cut + 1;
    return reach;
}

Split split_of(const Layout& layout, const Root& root) {
    const FeatureKind& kind = layout[root.feature];
    if (!kind.categorical) return {split_node(root.feature, root.number, root.variant == 1, -1), {}};
    Split split{split_node(root.feature, 0, root.variant == 1, 0), {}};
    if (kind.bins <= most_free)
        split.set.word[0] = root.number;
    else if (root.number > 0)
        split.set.put(root.number - 1, true);
    return split;
}

Split split_of(const Layout& layout, const Root& root, const Masses& masses) {
    const FeatureKind& kind = layout[root.feature];
    Split split = split_of(layout, root);
    if (!kind.categorical) return split;
    const std::vector<double> mass = masses(root.feature);
    const bool heavier = heavier_left(split, mass);
    // Only sets of few categories: a set that is one category against the rest must stay one.
    for (std::size_t c = 0; kind.bins <= most_free && c < kind.bins; ++c)
        if (mass[c] == 0.0) split.set.put(c, heavier);
    if (mass.back() == 0.0) split.node.missing_left = heavier;
    return split;
}

std::vector<BestSplit> best_splits(const Layout& layout, const Children& children, const Masses& masses) {
    const std::vector<BestRoot> roots = best_root_per_feature(layout, children);
    std::vector<BestSplit> best(roots.size());
    for (std::size_t f = 0; f < roots.size(); ++f)
        if (roots[f].value >= 0.0) best[f] = {split_of(layout, roots[f].root, masses), roots[f].value};
    return best;
}

Stump best_stump(const Layout& layout, std::size_t g, const std::vector<double>& sums, const Masses& masses) {
    if (layout[g].categorical) return category_stump(g, sums, masses(g));
    return number_stump(g, sums, layout[g].sign, reach_of(layout[g]));
}

Stump best_stump(const Layout& layout, std::size_t g, const std::vector<double>& sums, const Masses& masses,
                 const Split& root, std::size_t side) {
    if (layout[g].categorical) return category_stump(g, sums, masses(g));
    return number_stump(g, sums, layout[g].sign, reach_of(layout, g, root, side));
}

std::array<std::vector<double>, 4> sides_of(const Rows& rows, const Split& root, const ChildFeatures& g) {
    const std::vector<std::uint8_t> left = rows_left(rows, root);
    auto sums = side_histograms(rows, left, g, signed_weight);
    std::array<std::vector<double>, 2> masses;
    if (rows.layout.categorical(g[0], g[1]))
        masses = side_histograms(rows, left, g, mass);
    else
        for (std::size_t side : {0, 1}) masses[side].assign(sums[side].size(), 0.0);
    return {std::move(sums[0]), std::move(sums[1]), std::move(masses[0]), std::move(masses[1])};
}

TwoLevels grow(const Rows& rows, const Root& root, const std::vector<ChildFeatures>& tried) {
    TwoLevels tree;
    tree.root = split_of(rows.layout, root, [&](std::size_t f) { return histogram(rows, f, mass); });
    const std::vector<std::uint8_t> left = rows_left(rows, tree.root);
    const bool ordered = rows.layout.ordered(tree.root.node);
    std::array<Stump, 2> both;
    double most = -infinity;
    for (const ChildFeatures& g : tried) {
        const auto sums = side_histograms(rows, left, g, signed_weight);
        for (std::size_t side : {0, 1}) {
            const auto masses = [&](std::size_t) { return side_histograms(rows, left, g, mass)[side]; };
            const Stump stump = best_stump(rows.layout, g[side], sums[side], masses, tree.root, side);
            Stump& best = side == 1 ? tree.left : tree.right;
            if (&g == tried.data() || stump.pay() > best.pay()) best = stump;
        }
        if (!ordered || g[0] != g[1] || g[0] == root.feature) continue;
        const auto stumps = ordered_stumps(rows.layout, g[0], rows.layout[root.feature].sign, sums);
        if (stumps[0].pay() + stumps[1].pay() <= most) continue;
        both = stumps;
        most = both[0].pay() + both[1].pay();
    }
    if (!ordered) return tree;
    const double absent = histogram(rows, root.feature, signed_weight).back();
    return ordered_tree(rows.layout, tree, most > -infinity ? &both : nullptr, absent);
}

}  // namespace frankboost
