// Tables of pairs of features in 32-bit fixed point, sixteen cells per vector.
#pragma once

#include "pairs.hpp"

namespace frankboost {

constexpr std::size_t table_lanes = 16;
// The compiler splits these vectors on machines with narrower ones.
typedef std::int32_t Lanes __attribute__((vector_size(table_lanes * sizeof(std::int32_t))));

struct alignas(sizeof(Lanes)) Chunk {  // aligned for the AVX-512 copies; the default alignment is smaller
    Lanes lanes;
};
using LaneBuffer = std::vector<Chunk>;

// Fixed-point weights in units of `unit`, and what tables need to know of each feature. The rounding errors of the
// weights sum to `slack`, which bounds the error of any tree.
struct FixedPoint {
    std::vector<std::int32_t> weight;  // empty: the search is in double precision
    double unit = 1.0, slack = 0.0;
    std::vector<std::vector<std::uint8_t>> place;  // by feature: the column of each row in a table
    std::vector<LaneBuffer> column_total;  // by feature: prefix sums over its bins, stored like a row of a table
    std::vector<std::vector<std::int32_t>> row_total;  // by feature: the same in plain order
};

FixedPoint fixed_point(const Rows& rows, int threads);

// The memory for the search of a pair: a table (pair_lanes.cpp), all zero between two pairs, and what the best stumps
// pay left and right of every root split, in units: by row of the table, and in one lane per column. A split that sends
// all rows one way counts too: it pays what a leaf pays.
struct LaneSpace {
    LaneBuffer table{};
    std::vector<std::int32_t> rows_left{}, rows_right{};
    LaneBuffer columns_left{}, columns_right{}, prefix{};
    std::vector<Extremes<Lanes>> columns{};
};

void fill_lanes(const Rows& rows, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneSpace& space);
// Offers the best children to `children`; `most` gets bounds on what children pay below roots with a sign.
void scan_lanes(const Layout& layout, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneSpace& space,
                PairBounds& most, Children& children);

constexpr std::int32_t lowest_lane = std::numeric_limits<std::int32_t>::lowest();
constexpr std::int32_t highest_lane = std::numeric_limits<std::int32_t>::max();
inline std::size_t lane_vectors(std::size_t bins) { return (bins + table_lanes - 1) / table_lanes; }

// Finds what the best stumps pay, from the filled table of a pair, which is emptied.
void find_lane_stumps(const Layout& layout, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneSpace& space);

// Calls offer(root, number, child, what the best stump pays left of the root, and right of it) for every root split on
// f and on g, after find_lane_stumps.
template <class Offer>
void offer_lanes(const Layout& layout, const FixedPoint& fixed, std::size_t f, std::size_t g, const LaneSpace& space,
                 Offer&& offer) {
    const auto pays = [unit = fixed.unit](std::int32_t sum) { return unit * sum; };
    for (std::size_t t = 0; t + 1 < layout[f].bins; ++t)
        offer(f, t, g, pays(space.rows_left[t]), pays(space.rows_right[t]));
    const std::size_t vectors = lane_vectors(layout[g].bins);
    for (std::size_t k = 0; k + 1 < layout[g].bins; ++k) {
        const Chunk &left = space.columns_left[k % vectors], &right = space.columns_right[k % vectors];
        offer(g, k, f, pays(left.lanes[k / vectors]), pays(right.lanes[k / vectors]));
    }
}

}  // namespace frankboost
