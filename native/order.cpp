// Makes the trees below ordered roots, whose values order_scan.cpp computes: splits and votes, by running minima over
// prefix sums. Reference: enumeration in tests/constrained.py (tests/learners/test_constrained_trees.py).
#include "order.hpp"

#include <numeric>

namespace frankboost {
namespace {

double total_of(const std::vector<double>& sums) { return std::accumulate(sums.begin(), sums.end(), 0.0); }

// The votes of one cell, on the side that votes less and on the other, that pay most of those in order.
std::array<int, 2> votes_in_order(double less, double more) {
    if (more - less > std::fabs(less + more)) return {-1, 1};
    return less + more > 0.0 ? std::array<int, 2>{1, 1} : std::array<int, 2>{-1, -1};
}

Stump only_leaf(double sum, int vote) { return {{}, sum, 0.0, vote}; }

// The stump in which numbers up to a cut vote `left_vote`, other numbers the opposite, and missing values
// `missing_vote`.
Stump cut_stump(const FeatureKind& kind, std::size_t g, const std::vector<double>& sums, std::size_t cut, int left_vote,
                int missing_vote) {
    const bool missing_left = missing_vote == left_vote;
    if (kind.present && cut + 2 == kind.bins && missing_left) return only_leaf(total_of(sums), left_vote);
    const double numbers = std::accumulate(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(cut) + 1, 0.0);
    const double left = numbers + (missing_left ? sums.back() : 0.0);
    return {{split_node(g, cut, missing_left, -1), {}}, left, total_of(sums) - left, left_vote};
}

constexpr std::size_t before_all = std::numeric_limits<std::size_t>::max();

// The cuts a and b <= a of the two sides with the least X(a) + Y(b). If a threshold splits missing values from all
// numbers, b may also be before all numbers.
struct Cuts {
    double least = infinity;
    std::size_t a = 0, b = before_all;
};

Cuts nested_cuts(const FeatureKind& kind, const std::vector<double>& x, const std::vector<double>& y, int rises) {
    Cuts best;
    std::size_t at = before_all;
    double X = 0.0, Y = 0.0, run = kind.present ? 0.0 : infinity;
    for (std::size_t k = 0; k + 1 < kind.bins; ++k) {
        X += rises * x[k];
        Y += rises * y[k];
        if (Y < run) {
            run = Y;
            at = k;
        }
        if (X + run < best.least) best = {X + run, k, at};
    }
    return best;
}

// The best children in order on a feature of numbers: at [0] on the side that votes less, at [1] on the other.
std::array<Stump, 2> numbers_in_order(const FeatureKind& kind, std::size_t g, const std::vector<double>& less,
                                      const std::vector<double>& more) {
    const std::array<int, 2> missing = votes_in_order(less.back(), more.back());
    const double total = total_of(less) - less.back() + total_of(more) - more.back();
    double most = -infinity;
    std::array<Stump, 2> best;
    for (const int rises : {1, -1}) {
        if (kind.sign == -rises) continue;
        const Cuts cuts = rises > 0 ? nested_cuts(kind, less, more, 1) : nested_cuts(kind, more, less, -1);
        if (rises * total - 2.0 * cuts.least <= most) continue;
        most = rises * total - 2.0 * cuts.least;
        // If both children rise, a is the cut of the side that votes less; if both fall, that of the other side.
        const auto stump = [&](std::size_t side) {
            const bool is_a = (side == 0) == (rises > 0);
            const std::size_t cut = is_a ? cuts.a : cuts.b;
            const auto& sums = side == 0 ? less : more;
            // All numbers of a side vote the same: -1 on the side that votes less, +1 on the other.
            if (cut == before_all) return cut_stump(kind, g, sums, kind.bins - 2, side == 0 ? -1 : 1, missing[side]);
            return cut_stump(kind, g, sums, cut, -rises, missing[side]);
        };
        best = {stump(0), stump(1)};
    }
    return best;
}

std::array<Stump, 2> categories_in_order(std::size_t g, const std::vector<double>& less,
                                         const std::vector<double>& more) {
    std::array<Stump, 2> best;
    std::array<std::size_t, 2> count{};  // the number of cells that vote +1
    for (std::size_t side : {0, 1}) best[side].split.node = split_node(g, 0, false, 0);
    for (std::size_t c = 0; c < less.size(); ++c) {
        const std::array<int, 2> votes = votes_in_order(less[c], more[c]);
        for (std::size_t side : {0, 1}) {
            const bool left = votes[side] > 0;
            (left ? best[side].left : best[side].right) += side == 0 ? less[c] : more[c];
            count[side] += left;
            if (c + 1 == less.size())
                best[side].split.node.missing_left = left;
            else
                best[side].split.set.put(c, left);
        }
    }
    for (std::size_t side : {0, 1}) {
        best[side].left_vote = 1;
        if (count[side] == 0) best[side] = only_leaf(best[side].sum(), -1);
        if (count[side] == less.size()) best[side] = only_leaf(best[side].sum(), 1);
    }
    return best;
}

// A side whose numbers are one leaf with vote `vote`. If the root's missing values are on this side and may be split
// off, they have the better vote of their own.
Stump leaf_stump(const Split& root, std::size_t side, double numbers, double missing, int vote, bool apart) {
    if (!apart || vote * missing >= 0.0) return only_leaf(numbers + missing, vote);
    const auto f = static_cast<std::size_t>(root.node.feature), cut = static_cast<std::size_t>(root.node.last_bin);
    // At the root's own threshold all numbers of a side go the same way, so that it can split off the missing values.
    if (side == 1) return {{split_node(f, cut, false, -1), {}}, numbers, missing, vote};
    return {{split_node(f, cut, true, -1), {}}, missing, numbers, -vote};
}

}  // namespace

std::array<Stump, 2> ordered_stumps(const Layout& layout, std::size_t g, int sign,
                                    const std::array<std::vector<double>, 2>& sums) {
    const std::size_t less = sign > 0 ? 1 : 0;
    const auto found = layout[g].categorical ? categories_in_order(g, sums[less], sums[1 - less])
                                             : numbers_in_order(layout[g], g, sums[less], sums[1 - less]);
    return sign > 0 ? std::array<Stump, 2>{found[1], found[0]} : found;
}

TwoLevels ordered_tree(const Layout& layout, const TwoLevels& best, const std::array<Stump, 2>* both, double absent,
                       const std::array<bool, 2>& apart) {
    const int sign = layout[static_cast<std::size_t>(best.root.node.feature)].sign;
    const bool absent_left = best.root.node.missing_left != 0;
    const double left = absent_left ? absent : 0.0, right = absent_left ? 0.0 : absent;
    TwoLevels tree{best.root, leaf_stump(best.root, 1, best.left.sum() - left, left, -sign, apart[1]), best.right,
                   false, true};
    const TwoLevels other{best.root, best.left,
                          leaf_stump(best.root, 0, best.right.sum() - right, right, sign, apart[0]), true, false};
    if (other.value() > tree.value()) tree = other;
    if (both != nullptr && (*both)[0].pay() + (*both)[1].pay() > tree.value())
        tree = {best.root, (*both)[1], (*both)[0], false, false};
    return tree;
}

}  // namespace frankboost
