// Extremes of the two-dimensional prefix sums of a table of 32-bit integers, for pairs of features without missing
// values.
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

#include "parallel.hpp"

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
inline std::size_t lane_place(std::size_t k, std::size_t vectors) {
    return k % vectors * table_lanes + k / vectors;
}

FRANKBOOST_INLINE Lanes larger(Lanes a, Lanes b) { return a > b ? a : b; }
FRANKBOOST_INLINE Lanes smaller(Lanes a, Lanes b) { return a < b ? a : b; }

FRANKBOOST_INLINE std::int32_t largest_lane(Lanes v) {
    std::int32_t best = v[0];
    for (std::size_t lane = 1; lane < table_lanes; ++lane) best = std::max<std::int32_t>(best, v[lane]);
    return best;
}

FRANKBOOST_INLINE std::int32_t smallest_lane(Lanes v) {
    std::int32_t best = v[0];
    for (std::size_t lane = 1; lane < table_lanes; ++lane) best = std::min<std::int32_t>(best, v[lane]);
    return best;
}

// Extremes of the prefix sums left and right of every split of one feature, over the splits of the other. Splits that
// send everything one way are among them: those pay what no split pays.
struct PrefixExtremes {
    LaneBuffer high_left, low_left, high_right, low_right;

    void reset(std::size_t vectors) {
        for (LaneBuffer* high : {&high_left, &high_right}) high->assign(vectors, std::numeric_limits<std::int32_t>::lowest());
        for (LaneBuffer* low : {&low_left, &low_right}) low->assign(vectors, std::numeric_limits<std::int32_t>::max());
    }
};

struct LaneTable {
    static constexpr std::size_t together = 4;  // rows scanned at once, which saves stores of the columns' extremes
    LaneBuffer cell;                            // all zero before and after use
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

// What lies in the lanes before each lane.
FRANKBOOST_INLINE Lanes sums_before(Lanes sums) {
    Lanes before;
    std::int32_t total = 0;
    for (std::size_t lane = 0; lane < table_lanes; ++lane) {
        before[lane] = total;
        total += sums[lane];
    }
    return before;
}

// Scan a filled table and empty it. column_total: prefix sums of the column feature over all rows, lane by lane;
// row_total[t]: of the row feature, padded with its last value.
FRANKBOOST_VECTORISED void scan_lanes(LaneTable& table, const Lanes* column_total, const std::int32_t* row_total) {
    constexpr std::size_t R = LaneTable::together;
    const std::size_t V = table.vectors;
    Lanes* const high_left = table.of_columns.high_left.vectors();
    Lanes* const low_left = table.of_columns.low_left.vectors();
    Lanes* const high_right = table.of_columns.high_right.vectors();
    Lanes* const low_right = table.of_columns.low_right.vectors();
    Lanes* const prefix = table.prefix.vectors();
    for (std::size_t t = 0; t < table.rows; t += R) {
        Lanes* const row = table.cell.vectors() + t * V;
        Lanes before[R], hl[R], ll[R], hr[R], lr[R];
        for (std::size_t r = 0; r < R; ++r) before[r] = Lanes{};
        for (std::size_t v = 0; v < V; ++v)
            for (std::size_t r = 0; r < R; ++r) row[r * V + v] = before[r] += row[r * V + v];
        for (std::size_t r = 0; r < R; ++r) {
            before[r] = sums_before(before[r]);
            hl[r] = hr[r] = Lanes{} + std::numeric_limits<std::int32_t>::lowest();
            ll[r] = lr[r] = Lanes{} + std::numeric_limits<std::int32_t>::max();
        }
        for (std::size_t v = 0; v < V; ++v) {
            Lanes left = prefix[v];
            const Lanes total = column_total[v];
            Lanes chl = high_left[v], cll = low_left[v], chr = high_right[v], clr = low_right[v];
            for (std::size_t r = 0; r < R; ++r) {
                left += row[r * V + v] + before[r];
                row[r * V + v] = Lanes{};
                const Lanes right = total - left, below = row_total[t + r] - left;
                hl[r] = larger(hl[r], left);
                ll[r] = smaller(ll[r], left);
                hr[r] = larger(hr[r], right);
                lr[r] = smaller(lr[r], right);
                chl = larger(chl, left);
                cll = smaller(cll, left);
                chr = larger(chr, below);
                clr = smaller(clr, below);
            }
            prefix[v] = left;
            high_left[v] = chl;
            low_left[v] = cll;
            high_right[v] = chr;
            low_right[v] = clr;
        }
        for (std::size_t r = 0; r < R; ++r) {
            table.of_rows.high_left.cells()[t + r] = largest_lane(hl[r]);
            table.of_rows.low_left.cells()[t + r] = smallest_lane(ll[r]);
            table.of_rows.high_right.cells()[t + r] = largest_lane(hr[r]);
            table.of_rows.low_right.cells()[t + r] = smallest_lane(lr[r]);
        }
    }
}

}  // namespace frankboost
