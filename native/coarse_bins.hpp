// A search over few bins of about the same weight each, and what it says about all thresholds.
#pragma once

#include "node_columns.hpp"
#include "survey.hpp"

namespace frankboost {

// What the sides of each root may pay, left and right of it.
struct SideBounds {
    std::vector<double> left, right;

    double of(std::size_t at) const { return left[at] + right[at]; }
};

class CoarseBins {
    std::vector<Column> columns_{};
    Rows rows_;
    FixedPoint fixed_;
    Children children_;
    std::vector<std::vector<double>> weight_;  // of all rows by all bins
    std::vector<double> slack_;                // what coarse thresholds of a child may leave on one side

    Root fine(const Root& root) const;
    void bound_roots(const Layout& all, std::size_t f, const Children& children, double slack,
                     SideBounds& bounds) const;

  public:
    CoarseBins(const Rows& all, std::shared_ptr<const PairMask> mask, std::size_t bins, int threads, Stop& stop);

    // Trees of the leading roots: first the thresholds of the children and then that of the root are the best of all,
    // in turns.
    std::vector<TwoLevels> trees(const Rows& all, std::size_t columns, int threads) const;

    // For each root on all thresholds, what its sides do not exceed.
    SideBounds bounds(const Rows& all) const;

    // The same for some features as its children, f and g for roots on g and f.
    void bounds(const Rows& all, std::size_t f, std::size_t g, SideBounds& bounds) const;
};

}  // namespace frankboost
