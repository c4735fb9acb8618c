// A search over few bins of about the same weight each, and the bounds for all thresholds that follow from it.
#pragma once

#include "node_columns.hpp"
#include "survey.hpp"

namespace frankboost {

// Upper bounds on what the left and the right side of each root pay.
struct SideBounds {
    std::vector<double> left, right;

    double of(std::size_t at) const { return left[at] + right[at]; }
};

class CoarseBins {
    std::vector<Column> columns_{};
    Rows rows_;
    FixedPoint fixed_;
    Children children_;
    std::vector<std::vector<double>> weight_;  // the weight of the rows in each bin, for all bins of each feature
    std::vector<double> slack_;                // how much a side may pay above the best coarse child on this feature

    Root fine_root(const Root& root) const;
    void bound_roots(const Layout& all, std::size_t f, const Children& children, double slack,
                     SideBounds& bounds) const;

  public:
    CoarseBins(const Rows& all, std::shared_ptr<const PairMask> mask, std::size_t bins, int threads, Stop& stop);

    // The trees of the best roots. Children and root take turns in getting the best of all thresholds.
    std::vector<TwoLevels> trees(const Rows& all, std::size_t columns, int threads) const;

    // Bounds on the sides of every root on all thresholds.
    SideBounds bounds(const Rows& all) const;

    // The same for children on one feature: those on g below roots on f, and those on f below roots on g.
    void bounds(const Rows& all, std::size_t f, std::size_t g, SideBounds& bounds) const;
};

}  // namespace frankboost
