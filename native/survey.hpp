// Every root split with its best children, and trees grown from the best of them.
#pragma once

#include <array>
#include <functional>

#include "pair_lanes.hpp"

namespace frankboost {

// Every root split on a wanted feature with its best children; on a feature that is not wanted, not all children are
// looked at. The values are exact unless there are fixed-point weights. If stopped, not all children are looked at, but
// for every root on a wanted feature at least those on the same feature.
Children survey(const Rows& rows, const FixedPoint& fixed, const std::vector<std::uint8_t>& wanted, int threads,
                Stop& stop);

// Whether, with so many rows that carry weight, scanning tables is most of the work, so that fixed point pays. With
// many rows scattering is, which fixed point does not speed up, and rounding adds up.
bool worth_fixing(const Layout& layout, std::size_t rows);

// The best root of a feature.
struct BestRoot {
    Root root{};
    double value = -1.0;  // negative if the feature has no split
    double alone = 0.0;   // what it pays without children, where that decides

    bool leads(const BestRoot& other) const {
        return value > other.value || (value == other.value && alone > other.alone);
    }
    void offer(const BestRoot& other) {
        if (other.leads(*this)) *this = other;
    }
};

// The sums of u by the bins of a feature.
using Sums = std::function<std::vector<double>(std::size_t f)>;

std::vector<BestRoot> best_of_each(const Layout& layout, const Children& children);

// Whether the features that can be split are fewer than the columns asked for.
bool few_features(const Layout& layout, std::size_t columns);

// The roots that pay most, best first, at most so many: the best of each feature or, where features are few, of each
// choice of a feature and those of its best children. Neighbours of the best root have the same, and add little. Of
// roots that pay most, the one that pays more without children leads: for that the sums of their features are asked
// for.
std::vector<BestRoot> leading_roots(const Layout& layout, const Children& children, std::size_t columns,
                                    const Sums& sums);

// The sums of |u| by the bins of a feature; they are asked for if it is categorical.
using Masses = std::function<std::vector<double>(std::size_t f)>;

// The best root of each feature as a split.
std::vector<BestSplit> best_splits(const Layout& layout, const Children& children, const Masses& masses);

// A root as a split.
Split split_of(const Layout& layout, const Root& root);

// The same, but that categories and missing values without weight go to where more weight goes.
Split split_of(const Layout& layout, const Root& root, const Masses& masses);

// A stump and the sums of u in its leaves; without a split a leaf, whose sum is `left`.
struct Stump {
    Split split;
    double left = 0.0, right = 0.0;
    int left_vote = 0;  // of the left leaf, or of the only one; the right one votes the opposite. 0: each as its sum
    double pay() const { return left_vote == 0 ? std::fabs(left) + std::fabs(right) : left_vote * (left - right); }
    double sum() const { return left + right; }
};

// The numbers that rows have, as bins; a cut below or above all of them is held to no order.
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

// With a set of its own if set_index is 0.
Node split_node(std::size_t feature, std::size_t last_bin, bool missing_left, std::int32_t set_index);

struct TwoLevels {
    Split root;
    Stump left, right;
    bool grows_left = true, grows_right = true;  // whether any other tree may take the place of a side
    double value() const { return left.pay() + right.pay(); }
    double alone() const { return std::fabs(left.sum()) + std::fabs(right.sum()); }  // what the root pays by itself
    bool leads(const TwoLevels& other) const {
        return value() > other.value() || (value() == other.value() && alone() > other.alone());
    }
};

// The features to try as children, at [0] right of a root and at [1] left of it.
using ChildFeatures = std::array<std::size_t, 2>;

// Sums of u by the bins of g[0] over the rows right of a root and of g[1] over those left of it, then those of |u|,
// which are 0 if neither is categorical: nobody asks for them.
std::array<std::vector<double>, 4> sides_of(const Rows& rows, const Split& root, const ChildFeatures& g);

// The features of the best children of the root at a place; the same one twice if they are in order (order.hpp).
ChildFeatures child_features(const Children& children, std::size_t at);

// Trees best first, at most so many in all, and one for each root feature or, where features are few, for each choice
// of three; `total` is the sum of u.
Trees in_order(std::vector<TwoLevels> grown, double total, std::size_t columns, const Layout& layout);

// The tree below a root with the best of the children.
TwoLevels grow(const Rows& rows, const Root& root, const std::vector<ChildFeatures>& tried);

// The trees of the leading roots, best first.
Trees trees_below(const Rows& rows, Children children, std::size_t columns, int threads);

}  // namespace frankboost
