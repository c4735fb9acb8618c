// Searches the pairs of two features of numbers without missing values, from tables of 32-bit fixed-point weights:
// twice as fast as tables of doubles (pair_tables.cpp). Reference: tests/test_native.py compares the trees with those
// found in double precision.
//
// Summing along a row is the slow part, since each sum waits for the one before it. So a row of G cells is stored
// lane by lane: with V = ceil(G / 16) vectors of 16 lanes, cell k is lane k / V of vector k % V. Adding up the V
// vectors sums sixteen stretches of the row at once; the sum of the stretches before each one is added afterwards.
#include <array>
#include <numeric>

#include "pair_lanes.hpp"

namespace frankboost {
namespace {

constexpr std::size_t together = 4;  // rows that are scanned at once, to save stores of the columns' extremes

std::size_t lane_rows(std::size_t bins) { return (bins + together - 1) / together * together; }

// The place of cell k in a row of `vectors` vectors.
std::size_t lane_place(std::size_t k, std::size_t vectors) { return k % vectors * table_lanes + k / vectors; }

std::int32_t* cells(LaneBuffer& buffer) { return reinterpret_cast<std::int32_t*>(buffer.data()); }

// A vector of chosen lanes of two vectors; numbers from `table_lanes` on are lanes of the second vector.
template <std::int32_t... number>
FRANKBOOST_INLINE Lanes shuffled(const Lanes& a, const Lanes& b) {
#ifdef __clang__
    return __builtin_shufflevector(a, b, number...);
#else
    return __builtin_shuffle(a, b, Lanes{number...});
#endif
}

// Replaces each lane by the sum of the lanes before it.
FRANKBOOST_INLINE void sum_before(Lanes& sums) {
    const Lanes none{};
    sums = shuffled<0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(none, sums);
    sums += shuffled<0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(none, sums);
    sums += shuffled<0, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(none, sums);
    sums += shuffled<0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27>(none, sums);
    sums += shuffled<0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23>(none, sums);
}

FRANKBOOST_INLINE Lanes larger(const Lanes& a, const Lanes& b) { return a > b ? a : b; }
FRANKBOOST_INLINE Lanes smaller(const Lanes& a, const Lanes& b) { return a < b ? a : b; }

// out[r] = the extreme, by `choose`, of the lanes of vector r.
template <class Choose>
FRANKBOOST_INLINE void choose_along(const Lanes (&of)[together], Choose&& choose, std::int32_t* out) {
    Lanes half[2];
    for (std::size_t k = 0; k < 2; ++k) {
        const Lanes &a = of[2 * k], &b = of[2 * k + 1];
        half[k] = choose(shuffled<0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23>(a, b),
                         shuffled<8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31>(a, b));
    }
    Lanes all = choose(shuffled<0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27>(half[0], half[1]),
                       shuffled<4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31>(half[0], half[1]));
    all = choose(all, shuffled<2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13>(all, all));
    all = choose(all, shuffled<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(all, all));
    for (std::size_t r = 0; r < together; ++r) out[r] = all[4 * r];
}

// What the best stump pays over rows with prefix sums in [low, high] and the given sum, on a feature with a sign or 0.
template <class Sums>
FRANKBOOST_INLINE Sums pays(const Sums& high, const Sums& low, const Sums& sum, int sign) {
    Sums best = sum > -sum ? sum : -sum;
    const Sums most = high - (sum - high), least = (sum - low) - low;
    if (sign <= 0) best = most > best ? most : best;
    if (sign >= 0) best = least > best ? least : best;
    return best;
}

// The extremes along `together` rows, lane by lane.
struct RowExtremes {
    Lanes high_left[together], low_left[together], high_right[together], low_right[together];
};

// Finds the extremes of the prefix sums in `together` rows, and empties the rows. `prefix` has the sums of all rows
// before them, by column.
FRANKBOOST_INLINE void scan_rows(Chunk* row, std::size_t V, const Chunk* column_total, const std::int32_t* row_total,
                                 Chunk* prefix, Extremes<Lanes>* columns, RowExtremes& along) {
    Lanes before[together] = {};
    for (std::size_t v = 0; v < V; ++v)
        for (std::size_t r = 0; r < together; ++r) row[r * V + v].lanes = before[r] += row[r * V + v].lanes;
    for (Lanes& sums : before) sum_before(sums);
    for (std::size_t r = 0; r < together; ++r) {
        along.high_left[r] = along.high_right[r] = Lanes{} + lowest_lane;
        along.low_left[r] = along.low_right[r] = Lanes{} + highest_lane;
    }
    for (std::size_t v = 0; v < V; ++v) {
        Lanes left = prefix[v].lanes;
        const Lanes total = column_total[v].lanes;
        Extremes<Lanes> column = columns[v];
        for (std::size_t r = 0; r < together; ++r) {
            left += row[r * V + v].lanes + before[r];
            row[r * V + v].lanes = Lanes{};
            const Lanes right = total - left;
            along.high_left[r] = larger(left, along.high_left[r]);
            along.low_left[r] = smaller(left, along.low_left[r]);
            along.high_right[r] = larger(right, along.high_right[r]);
            along.low_right[r] = smaller(right, along.low_right[r]);
            column.include(left, row_total[r] - left);
        }
        prefix[v].lanes = left;
        columns[v] = column;
    }
}

// Finds what the best stumps pay, from a filled table, which is emptied. column_total has the prefix sums of the column
// feature over all rows, lane by lane; row_total those of the row feature, padded with the last one.
FRANKBOOST_VECTORISED void scan_prefixes(const Chunk* column_total, const std::int32_t* row_total, int row_sign,
                                         int column_sign, LaneSpace& space) {
    const std::size_t V = space.columns.size(), height = space.rows_left.size();
    const std::int32_t all = row_total[height - 1];
    for (std::size_t v = 0; v < V; ++v) {
        space.prefix[v].lanes = Lanes{};
        space.columns[v] = {lowest_lane, highest_lane};
    }
    RowExtremes along;
    for (std::size_t t = 0; t < height; t += together) {
        scan_rows(space.table.data() + t * V, V, column_total, row_total + t, space.prefix.data(), space.columns.data(),
                  along);
        std::int32_t high_left[together], low_left[together], high_right[together], low_right[together];
        choose_along(along.high_left, larger, high_left);
        choose_along(along.low_left, smaller, low_left);
        choose_along(along.high_right, larger, high_right);
        choose_along(along.low_right, smaller, low_right);
        for (std::size_t r = 0; r < together; ++r) {
            const std::int32_t left = row_total[t + r];
            space.rows_left[t + r] = pays(high_left[r], low_left[r], left, column_sign);
            space.rows_right[t + r] = pays(high_right[r], low_right[r], all - left, column_sign);
        }
    }
    for (std::size_t v = 0; v < V; ++v) {
        const Extremes<Lanes>& seen = space.columns[v];
        const Lanes left = column_total[v].lanes;
        space.columns_left[v].lanes = pays(seen.high_left, seen.low_left, left, row_sign);
        space.columns_right[v].lanes = pays<Lanes>(seen.high_right, seen.low_right, all - left, row_sign);
    }
}

constexpr std::size_t few_cells = table_lanes * table_lanes;
constexpr std::size_t turns = 4, rows_at_once = 1024;

template <class Code>
FRANKBOOST_VECTORISED_BYTES void find_cells(const Code* code, const std::uint8_t* place, std::size_t count,
                                            std::uint8_t* out) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::uint8_t>(code[i] * table_lanes + place[i]);
}

// Fills a table of two features of up to 16 bins. Rows take turns at four copies of the table, as an addition to a cell
// waits for the last addition to it.
template <class Code>
void fill_few(const Code* code, const std::uint8_t* place, const std::int32_t* weight, std::size_t count,
              std::int32_t* cell) {
    std::array<std::int32_t, turns * few_cells> sums{};
    std::array<std::uint8_t, rows_at_once> at;
    for (std::size_t begin = 0; begin < count; begin += rows_at_once) {
        const std::size_t rows = std::min(rows_at_once, count - begin);
        find_cells(code + begin, place + begin, rows, at.data());
        const std::int32_t* here = weight + begin;
        std::size_t i = 0;
        for (; i + turns <= rows; i += turns)
            for (std::size_t turn = 0; turn < turns; ++turn) sums[turn * few_cells + at[i + turn]] += here[i + turn];
        for (; i < rows; ++i) sums[at[i]] += here[i];
    }
    for (std::size_t turn = 0; turn < turns; ++turn)
        for (std::size_t k = 0; k < few_cells; ++k) cell[k] += sums[turn * few_cells + k];
}

}  // namespace

FixedPoint fixed_point(const Rows& rows, int threads) {
    const std::size_t n = rows.features();
    double mass = 0.0;
    for (double u : rows.weight) mass += std::fabs(u);
    FixedPoint fixed;
    const double scale = (2147483647.0 - static_cast<double>(rows.size())) / mass;  // no sum can overflow
    fixed.unit = 1.0 / scale;
    fixed.weight.reserve(rows.size());
    for (double u : rows.weight) {
        fixed.weight.push_back(static_cast<std::int32_t>(std::lround(u * scale)));
        fixed.slack += std::fabs(u - fixed.weight.back() * fixed.unit);
    }
    // The rounding errors of this sum, and of a value in units; if no weight was rounded, both are exact.
    if (fixed.slack > 0.0) fixed.slack = fixed.slack * (1.0 + 0x1p-20) + 0x1p-44;
    fixed.place.resize(n);
    fixed.column_total.resize(n);
    fixed.row_total.resize(n);
    const int workers = threads_worth(2.0 * static_cast<double>(rows.size() * n), threads);
    parallel_for(n, workers, [&](std::size_t f, std::size_t) {
        const FeatureKind& kind = rows.layout[f];
        if (kind.bins > most_bins || kind.missing || kind.categorical) return;
        const std::size_t vectors = lane_vectors(kind.bins);
        std::vector<std::int32_t> total(vectors * table_lanes, 0);
        std::uint8_t places[most_bins];
        for (std::size_t k = 0; k < kind.bins; ++k) places[k] = static_cast<std::uint8_t>(lane_place(k, vectors));
        fixed.place[f].resize(rows.size());
        const auto place_rows = [&, place = fixed.place[f].data(), weight = fixed.weight.data()](const auto* code) {
            for (std::size_t i = 0; i < rows.size(); ++i) {
                total[code[i]] += weight[i];
                place[i] = places[code[i]];
            }
        };
        rows.with_codes(place_rows, f);
        std::partial_sum(total.begin(), total.end(), total.begin());
        fixed.column_total[f].resize(vectors);
        for (std::size_t k = 0; k < total.size(); ++k) cells(fixed.column_total[f])[lane_place(k, vectors)] = total[k];
        fixed.row_total[f] = std::move(total);
    });
    return fixed;
}

void fill_lanes(const Rows& rows, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneSpace& space) {
    LaneBuffer& table = space.table;
    const std::size_t vectors = lane_vectors(rows.layout[g].bins), height = lane_rows(rows.layout[f].bins);
    const std::size_t size = std::max(height, table_lanes) * vectors;
    if (table.size() < size) table.assign(size, Chunk{});
    const auto fill = [&, count = rows.size(), weight = fixed.weight.data(), place = fixed.place[g].data(),
                       cell = cells(table), stride = vectors * table_lanes](const auto* code) {
        if (vectors == 1 && height <= table_lanes) return fill_few(code, place, weight, count, cell);
        for (std::size_t i = 0; i < count; ++i) cell[code[i] * stride + place[i]] += weight[i];
    };
    rows.with_codes(fill, f);
}

void find_lane_stumps(const Layout& layout, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneSpace& space) {
    const std::size_t vectors = lane_vectors(layout[g].bins), height = lane_rows(layout[f].bins);
    for (auto* pays : {&space.rows_left, &space.rows_right}) pays->resize(height);
    for (auto* pays : {&space.columns_left, &space.columns_right, &space.prefix}) pays->resize(vectors);
    space.columns.resize(vectors, {lowest_lane, highest_lane});
    scan_prefixes(fixed.column_total[g].data(), fixed.row_total[f].data(), layout[f].sign, layout[g].sign, space);
}

void scan_lanes(const Layout& layout, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneSpace& space,
                PairBounds& most, Children& children) {
    const double slack = 2.0 * fixed.slack;
    const auto offer = [&](std::size_t root, std::size_t number, std::size_t child, double left, double right) {
        children.offer(layout.place({root, number, 0}), child, left, right);
        if (layout[root].sign != 0) most[root == f ? 0 : 1][number] = left + right + slack;
    };
    find_lane_stumps(layout, fixed, f, g, space);
    offer_lanes(layout, fixed, f, g, space, offer);
}

}  // namespace frankboost
