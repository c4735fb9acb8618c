// Root and child on two features without missing values, from a table of 32-bit fixed-point weights: twice as fast as
// one of doubles.
//
// Summing along a row is the slow part, since each sum waits for the one before it. So a row of G cells is stored
// lane by lane: with V = ceil(G / 16) vectors of 16 lanes, cell k is lane k / V of vector k % V. Adding the vectors up
// sums sixteen stretches of the row at once; what lies before each stretch is added afterwards.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "children.hpp"
#include "parallel.hpp"
#include "rows.hpp"

namespace frankboost {

constexpr std::size_t table_lanes = 16;
// Wider than some machines' vectors: then it is split.
typedef std::int32_t Lanes __attribute__((vector_size(table_lanes * sizeof(std::int32_t)), may_alias));

// Memory for vectors, aligned as they are; a template argument would lose their attributes.
class LaneBuffer {
    struct alignas(sizeof(Lanes)) Chunk {
        std::int32_t lane[table_lanes];
    };
    std::vector<Chunk> chunk_;

  public:
    void assign(std::size_t vectors, std::int32_t value) {
        Chunk filled;
        std::fill_n(filled.lane, table_lanes, value);
        chunk_.assign(vectors, filled);
    }
    std::size_t size() const { return chunk_.size(); }
    std::int32_t* cells() { return chunk_.data()->lane; }
    const std::int32_t* cells() const { return chunk_.data()->lane; }
    Lanes* vectors() { return reinterpret_cast<Lanes*>(chunk_.data()); }
    const Lanes* vectors() const { return reinterpret_cast<const Lanes*>(chunk_.data()); }
};

inline std::size_t lane_vectors(std::size_t bins) { return (bins + table_lanes - 1) / table_lanes; }

// Where cell k of a row of so many vectors is stored.
inline std::size_t lane_place(std::size_t k, std::size_t vectors) { return k % vectors * table_lanes + k / vectors; }

// Extremes of the prefix sums left and right of every split of one feature, over the splits of the other. Splits that
// send everything one way are among them: those pay what no split pays.
struct PrefixExtremes {
    LaneBuffer high_left, low_left, high_right, low_right;

    void reset(std::size_t vectors) {
        for (LaneBuffer* high : {&high_left, &high_right})
            high->assign(vectors, std::numeric_limits<std::int32_t>::lowest());
        for (LaneBuffer* low : {&low_left, &low_right}) low->assign(vectors, std::numeric_limits<std::int32_t>::max());
    }
};

struct LaneTable {
    static constexpr std::size_t together = 4;  // rows scanned at once, which saves stores of the columns' extremes
    LaneBuffer cell;                            // all zero before it is filled and after it was scanned
    LaneBuffer prefix;
    PrefixExtremes of_rows;     // one entry a row of the table
    PrefixExtremes of_columns;  // one entry a column, lane by lane
    std::size_t rows = 0, vectors = 0;

    void shape(std::size_t row_bins, std::size_t column_bins) {
        rows = (row_bins + together - 1) / together * together;
        vectors = lane_vectors(column_bins);
        if (cell.size() < rows * vectors) cell.assign(rows * vectors, 0);
        prefix.assign(vectors, 0);
        of_rows.reset(lane_vectors(rows));
        of_columns.reset(vectors);
    }
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

template <class Code>
FixedPoint fixed_point(const Rows<Code>& rows, int threads);

template <class Code>
void fill_lanes(const Rows<Code>& rows, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneTable& table);

// Offer both ways, and empty the table.
void scan_lanes(const Layout& layout, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneTable& table,
                Children& children);

}  // namespace frankboost
