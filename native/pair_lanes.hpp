// Root and child on two features without missing values, from a table of 32-bit fixed-point weights: twice as fast as
// one of doubles.
//
// Summing along a row is the slow part, since each sum waits for the one before it. So a row of G cells is stored
// lane by lane: with V = ceil(G / 16) vectors of 16 lanes, cell k is lane k / V of vector k % V. Adding the vectors up
// sums sixteen stretches of the row at once; what lies before each stretch is added afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "children.hpp"
#include "rows.hpp"

namespace frankboost {

constexpr std::size_t table_lanes = 16;
// Wider than some machines' vectors: then it is split.
typedef std::int32_t Lanes __attribute__((vector_size(table_lanes * sizeof(std::int32_t))));

struct alignas(sizeof(Lanes)) Chunk {  // as vector instructions want it, which not every build knows
    Lanes lanes;
};
using LaneBuffer = std::vector<Chunk>;

// Extremes over all splits of the other feature. Splits that send everything one way are among them: those pay what no
// split pays.
struct LaneTable {
    LaneBuffer cell;                              // all zero before it is filled and after it was scanned
    std::vector<Extremes<std::int32_t>> of_rows;  // one entry per row of the table
    std::vector<Extremes<Lanes>> of_columns;      // one lane per column
    std::size_t rows = 0, vectors = 0;
};

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

void fill_lanes(const Rows& rows, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneTable& table);

// Offer both ways, and empty the table.
void scan_lanes(const Layout& layout, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneTable& table,
                Children& children);

}  // namespace frankboost
