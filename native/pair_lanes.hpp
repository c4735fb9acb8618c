// Tables of pairs of features in fixed point, many cells at a time.
#pragma once

#include "pairs.hpp"

namespace frankboost {

constexpr std::size_t table_lanes = 16;
// Wider than some machines' vectors: then it is split.
typedef std::int32_t Lanes __attribute__((vector_size(table_lanes * sizeof(std::int32_t))));

struct alignas(sizeof(Lanes)) Chunk {  // for the widest of the vectorised copies; the default asks for less
    Lanes lanes;
};
using LaneBuffer = std::vector<Chunk>;

// Fixed-point weights in units of `unit`, feature by feature as the tables want them. What rounding did to the weights,
// `slack` in all, bounds what it did to any tree.
struct FixedPoint {
    std::vector<std::int32_t> weight;  // empty: there are none
    double unit = 1.0, slack = 0.0;
    std::vector<std::vector<std::uint8_t>> place;      // of each row among the columns of a table
    std::vector<LaneBuffer> column_total;              // prefix sums over the bins, as the columns of a table
    std::vector<std::vector<std::int32_t>> row_total;  // as its rows
};

FixedPoint fixed_point(const Rows& rows, int threads);

// A table of fixed-point weights, see pair_lanes.cpp, all zero before it is filled and after it was seen; and what the
// best stumps pay left and right of every root split, in units: by row of the table, and one lane per column. Splits
// that send everything one way are among them: those pay what no split pays.
struct LaneSpace {
    LaneBuffer table{};
    std::vector<std::int32_t> rows_left{}, rows_right{};
    LaneBuffer columns_left{}, columns_right{}, prefix{};
    std::vector<Extremes<Lanes>> columns{};
};

void fill_lanes(const Rows& rows, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneSpace& space);
// `most` gets what children pay at most below roots that have a sign.
void scan_lanes(const Layout& layout, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneSpace& space,
                Most& most, Children& children);

constexpr std::int32_t lowest_lane = std::numeric_limits<std::int32_t>::lowest();
constexpr std::int32_t highest_lane = std::numeric_limits<std::int32_t>::max();
inline std::size_t lane_vectors(std::size_t bins) { return (bins + table_lanes - 1) / table_lanes; }

// See the table of a pair, and empty it.
void see_lanes(const Layout& layout, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneSpace& space);

// offer(root, number, child, what the best stump pays left and right of it) for every root split on f and on g, of a
// table that was seen.
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
