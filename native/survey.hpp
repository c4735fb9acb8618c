// The survey of every root split with its best children, and depth-2 trees grown from the best roots.
#pragma once

#include <array>
#include <functional>

#include "pair_lanes.hpp"

namespace frankboost {

// Finds the best children of every root split on a wanted feature; for roots on other features it tries only children
// on wanted features. The values are exact unless there are fixed-point weights. A search that is stopped has tried,
// for every root on a wanted feature, at least the children on the same feature.
Children survey(const Rows& rows, const FixedPoint& fixed, const std::vector<std::uint8_t>& wanted, int threads,
                Stop& stop);

// Whether fixed point makes the search of this many rows with weight faster. It does if scanning tables is most of the
// work. With many rows, filling them is: fixed point does not speed that up, and its rounding errors add up.
bool worth_fixing(const Layout& layout, std::size_t rows);

// The best root of a feature.
struct BestRoot {
    Root root{};
    double value = -1.0;  // negative if the feature has no split
    double alone = 0.0;   // what it pays without children, if that breaks a tie

    bool comes_before(const BestRoot& other) const {
        return value > other.value || (value == other.value && alone > other.alone);
    }
    void offer(const BestRoot& other) {
        if (other.comes_before(*this)) *this = other;
    }
};

// The sums of u by the bins of a feature.
using Sums = std::function<std::vector<double>(std::size_t f)>;

// The best root of each feature.
std::vector<BestRoot> best_root_per_feature(const Layout& layout, const Children& children);

// Whether the features that can be split are fewer than the columns asked for.
bool few_features(const Layout& layout, std::size_t columns);

// Up to `columns` roots, best first: the best of each feature or, if features are few, of each choice of a feature and
// those of its best children. (Other roots of the same choice are neighbours of the best one, and add little.) Of roots
// that tie for the largest value, the one that pays more without children comes first; `sums` is called only for these.
std::vector<BestRoot> best_roots(const Layout& layout, const Children& children, std::size_t columns, const Sums& sums);

// The sums of |u| by the bins of a feature; called only for categorical features.
using Masses = std::function<std::vector<double>(std::size_t f)>;

// The best root of each feature as a split.
std::vector<BestSplit> best_splits(const Layout& layout, const Children& children, const Masses& masses);

// A root as a split.
Split split_of(const Layout& layout, const Root& root);

// The same, with categories and missing values without weight on the side with more weight.
Split split_of(const Layout& layout, const Root& root, const Masses& masses);

// A stump and the sums of u in its leaves; without a split it is one leaf, whose sum is `left`.
struct Stump {
    Split split;
    double left = 0.0, right = 0.0;
    int left_vote = 0;  // the vote of the left or only leaf; the right one votes the opposite. 0: signs of the sums
    double pay() const { return left_vote == 0 ? std::fabs(left) + std::fabs(right) : left_vote * (left - right); }
    double sum() const { return left + right; }
};

// The cuts first <= t < last to which the sign of a feature applies. Cuts below or above all numbers of a side split
// nothing but missing values, and are exempt.
struct Reach {
    std::size_t first, last;
};
Reach reach_of(const FeatureKind& kind);
Reach reach_of(const Layout& layout, std::size_t g, const Split& root, std::size_t side);  // 1: left of a root

// The best stump over the sums of u by bin, or a single leaf if no split pays more.
Stump best_stump(const Layout& layout, std::size_t g, const std::vector<double>& sums, const Masses& masses);

// The same on the left (1) or the right (0) side of a root.
Stump best_stump(const Layout& layout, std::size_t g, const std::vector<double>& sums, const Masses& masses,
                 const Split& root, std::size_t side);

// The node of a split; set_index is 0 if the split has a set of its own, else -1.
Node split_node(std::size_t feature, std::size_t last_bin, bool missing_left, std::int32_t set_index);

// A depth-2 tree: a root and the stumps below it.
struct TwoLevels {
    Split root;
    Stump left, right;
    bool grows_left = true, grows_right = true;  // whether a larger tree may replace a side
    double value() const { return left.pay() + right.pay(); }
    double alone() const { return std::fabs(left.sum()) + std::fabs(right.sum()); }  // what the root pays by itself
    bool comes_before(const TwoLevels& other) const {
        return value() > other.value() || (value() == other.value() && alone() > other.alone());
    }
};

// The features of the children: at [0] right of a root, at [1] left of it.
using ChildFeatures = std::array<std::size_t, 2>;

// The sums of u by the bins of g[0] over the rows right of a root, and by those of g[1] over the rows left of it; then
// the sums of |u|, which are left 0 if neither feature is categorical.
std::array<std::vector<double>, 4> sides_of(const Rows& rows, const Split& root, const ChildFeatures& g);

// The features of the best children of a root, by its place; the same feature twice if they are in order (order.hpp).
ChildFeatures child_features(const Children& children, std::size_t at);

// Up to `columns` of the trees, best first: one per root feature or, if features are few, per choice of three features.
// `total` is the sum of u.
Trees best_first(std::vector<TwoLevels> grown, double total, std::size_t columns, const Layout& layout);

// The best tree of a root whose children split one of the pairs of features `tried`.
TwoLevels grow(const Rows& rows, const Root& root, const std::vector<ChildFeatures>& tried);

// The trees of the best roots, best first.
Trees trees_below(const Rows& rows, Children children, std::size_t columns, int threads);

}  // namespace frankboost
