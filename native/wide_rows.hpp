// The rows with most of the weight, in fixed point, over which a search of very many pairs of features begins.
#pragma once

#include "pair_lanes.hpp"

namespace frankboost {

struct HeavyRows {
    double left_out;  // the total |weight| of the rows that are left out
    Rows rows;
    FixedPoint fixed;

    // Leaves out the lightest rows, up to a total of `most_left_out`.
    HeavyRows(const Rows& all, double most_left_out, int threads);

    // Whether there are tables of the feature in fixed point.
    bool plain(std::size_t f) const { return rows.layout[f].splits() && !fixed.row_total[f].empty(); }
    // The largest error of what a stump pays over the heavy rows.
    double slack() const { return left_out + fixed.slack; }
};

}  // namespace frankboost
