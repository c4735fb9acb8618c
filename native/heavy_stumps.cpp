// Computes the best stump of a feature if both leaves have to weigh enough, in one pass over its sums by bin.
// Reference: enumeration in tests/learners/test_heavy_leaves.py.
#include "heavy_leaves.hpp"

namespace frankboost {
namespace {

Stump heavy_number_stump(const FeatureKind& kind, std::size_t g, const Reach& reach, const Amounts* sums,
                         const Amounts& all, double least) {
    const std::size_t bins = kind.bins;
    const Amounts missing = sums[bins];
    Stump best{{}, all.u, 0.0};
    double value = std::fabs(all.u);
    Amounts left;
    const auto consider = [&](std::size_t t, const Amounts& side, bool missing_left) {
        const double pays = std::fabs(2.0 * side.u - all.u);
        if (pays <= value || side.weight < least || all.weight - side.weight < least) return;
        if (kind.sign * (2.0 * side.u - all.u) > 0.0 && reach.first <= t && t < reach.last) return;
        value = pays;
        best = {{split_node(g, t, missing_left, -1), {}}, side.u, all.u - side.u};
    };
    for (std::size_t t = 0; t + 1 < bins; ++t) {
        left = left + sums[t];
        consider(t, left, false);
        if (missing.weight > 0.0) consider(t, left + missing, true);
    }
    return best;
}

Stump heavy_category_stump(std::size_t g, std::size_t bins, const Amounts* sums, const Amounts& all, double least) {
    // What goes one way together is a group; the last one has all light categories.
    const auto heavy = [&](std::size_t c) { return sums[c].weight >= least; };
    Amounts light;
    std::size_t heavies[2] = {0, 0};                 // right and left
    std::size_t cheapest[2] = {bins + 1, bins + 1};  // of them
    Stump best;
    for (std::size_t c = 0; c <= bins; ++c) {
        if (!heavy(c)) {
            light = light + sums[c];
            continue;
        }
        const std::size_t side = sums[c].u > 0.0 ? 1 : 0;
        (side == 1 ? best.left : best.right) += sums[c].u;
        ++heavies[side];
        std::size_t& least_loss = cheapest[side];
        if (least_loss > bins || std::fabs(sums[c].u) < std::fabs(sums[least_loss].u)) least_loss = c;
    }
    const std::size_t side = light.u > 0.0 ? 1 : 0;
    (side == 1 ? best.left : best.right) += light.u;
    const Stump leaf{{}, all.u, 0.0};
    std::size_t moved = bins + 1;  // to where the light ones are alone
    if (heavies[side] == 0 && light.weight < least) {
        if (heavies[1 - side] < 2) return leaf;
        moved = cheapest[1 - side];
        (side == 1 ? best.left : best.right) += sums[moved].u;
        (side == 1 ? best.right : best.left) -= sums[moved].u;
    } else if (heavies[1 - side] == 0) {
        return leaf;
    }
    if (best.pay() <= leaf.pay()) return leaf;
    const auto left = [&](std::size_t c) {
        if (c == moved || !heavy(c)) return side == 1;
        return sums[c].u > 0.0;
    };
    best.split.node = split_node(g, 0, left(bins), 0);
    for (std::size_t c = 0; c < bins; ++c) best.split.set.put(c, left(c));
    return best;
}

}  // namespace

Stump heavy_stump(const Layout& layout, std::size_t g, const Reach& reach, const Amounts* sums, const Amounts& all,
                  double least) {
    if (layout[g].categorical) return heavy_category_stump(g, layout[g].bins, sums, all, least);
    return heavy_number_stump(layout[g], g, reach, sums, all, least);
}

}  // namespace frankboost
