// The rows that carry most of the weight, in fixed point: what a search over very many pairs of features looks at
// first.
#pragma once

#include "pair_lanes.hpp"

namespace frankboost {

struct HeavyRows {
    double left_out;  // the mass of the rows that are not kept
    Rows rows;
    FixedPoint fixed;

    // Rows of little weight are left out, up to so much mass together.
    HeavyRows(const Rows& all, double most_left_out, int threads);

    // Whether there are tables of the feature in fixed point.
    bool plain(std::size_t f) const { return rows.layout[f].splits() && !fixed.row_total[f].empty(); }
    // What the pay-off of a stump may be off by.
    double slack() const { return left_out + fixed.slack; }
};

}  // namespace frankboost
