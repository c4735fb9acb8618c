// Root splits of depth-3 trees in order along each feature, so that searched roots bound the roots between them.
#pragma once

#include "rows.hpp"

namespace frankboost {

// Upper bounds, for each feature f, on what the best depth-2 tree whose own root splits f pays on each side of a root.
struct FeatureBounds {
    std::vector<double> left, right;
};

inline double largest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

// Flags of the features f with which one side of a root, with the best of the other side, may pay more than `cut`.
std::vector<std::uint8_t> features_above(const std::vector<double>& own, const std::vector<double>& other, double cut);

// The roots on one feature, in the order of the weight of their left sides.
struct RootLine {
    std::size_t feature;
    std::vector<Root> root{};
    std::vector<double> left_weight{};
    std::vector<FeatureBounds> sides{};  // empty if the root was not searched
    std::vector<double> pays{};          // what a known tree of this root pays, rounded down; negative if none is known
    std::vector<double> bound{};         // an upper bound on what any tree of this root pays
    std::vector<std::uint8_t> rough{};   // whether the bound includes a rounding error of fixed point

    explicit RootLine(std::size_t f) : feature(f) {}
    void add(const Root& root, double left_weight, double bound);
    std::size_t size() const { return root.size(); }
    bool searched(std::size_t at) const { return !sides[at].left.empty(); }
    // Bounds on the sides of the root `at` from its searched neighbours `before` and `after`, size() if there is none.
    // `ends` has the bounds of no rows (left) and of all rows (right), whose weight is `total`.
    FeatureBounds between(std::size_t at, std::size_t before, std::size_t after, const FeatureBounds& ends,
                          double total) const;
};

// The lines of all roots. The sets of a categorical feature have no order, so that each is a line of its own.
std::vector<RootLine> all_lines(const Rows& rows, double total);

}  // namespace frankboost
