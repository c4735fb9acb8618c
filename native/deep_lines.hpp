// Roots in lines, and what those that were looked at say of those between them.
#pragma once

#include "rows.hpp"

namespace frankboost {

// Upper bounds of D_f on both sides of a root, by f: what the best depth-2 tree whose own root splits f pays.
struct Sides {
    std::vector<double> left, right;
};

inline double most(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

// The features by which one side of a root may lift it above a cut.
std::vector<std::uint8_t> above(const std::vector<double>& own, const std::vector<double>& other, double cut);

// Roots on one feature by the weight of their left sides. Before the first all rows are right, after the last left.
struct Line {
    std::size_t feature;
    std::vector<Root> root{};
    std::vector<double> moved{};  // weight of the left side
    std::vector<Sides> sides{};   // empty if the root was not looked at
    std::vector<double> pays{};   // of a tree below the root, or less by rounding; negative if none is known
    std::vector<double> bound{};
    std::vector<std::uint8_t> rough{};  // whether rounding may have raised the bound

    explicit Line(std::size_t f) : feature(f) {}
    void add(const Root& root, double moved, double bound);
    std::size_t size() const { return root.size(); }
    bool looked(std::size_t at) const { return !sides[at].left.empty(); }
    // Bounds of the sides of a root from its neighbours that were looked at, size() if there are none. `ends` has D_f
    // of no rows and of all, whose weight is `total`.
    Sides between(std::size_t at, std::size_t before, std::size_t after, const Sides& ends, double total) const;
};

// All roots. The sets of a categorical feature are in no order: each is a line.
std::vector<Line> all_lines(const Rows& rows, double total);

}  // namespace frankboost
