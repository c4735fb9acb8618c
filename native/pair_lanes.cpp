#include "pair_lanes.hpp"

#include <cmath>
#include <numeric>

#include "stumps.hpp"

namespace frankboost {
namespace {

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

// Extremes of the prefix sums of a filled table, which is emptied. column_total: prefix sums of the column feature over
// all rows, lane by lane; row_total[t]: of the row feature, padded with its last value.
FRANKBOOST_VECTORISED void scan_prefixes(LaneTable& table, const Lanes* column_total, const std::int32_t* row_total) {
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

}  // namespace

template <class Code>
FixedPoint fixed_point(const Rows<Code>& rows, int threads) {
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
    fixed.place.resize(n);
    fixed.column_total.resize(n);
    fixed.row_total.resize(n);
    const int workers = threads_worth(2.0 * static_cast<double>(rows.size() * n), threads);
    parallel_for(n, workers, [&](std::size_t f, std::size_t) {
        const std::size_t bins = rows.layout[f].bins;
        if (bins > most_bins || rows.layout[f].missing || rows.layout[f].categorical) return;
        const std::size_t vectors = lane_vectors(bins);
        std::vector<std::int32_t> total(vectors * table_lanes, 0);
        std::uint8_t places[256];
        for (std::size_t k = 0; k < bins; ++k) places[k] = static_cast<std::uint8_t>(lane_place(k, vectors));
        fixed.place[f].resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto code = static_cast<std::size_t>(rows.codes[f][i]);
            total[code] += fixed.weight[i];
            fixed.place[f][i] = places[code];
        }
        std::partial_sum(total.begin(), total.end(), total.begin());
        fixed.column_total[f].assign(vectors, 0);
        std::int32_t* columns = fixed.column_total[f].cells();
        for (std::size_t k = 0; k < total.size(); ++k) columns[lane_place(k, vectors)] = total[k];
        fixed.row_total[f] = std::move(total);
    });
    return fixed;
}

template <class Code>
void fill_lanes(const Rows<Code>& rows, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneTable& table) {
    table.shape(rows.layout[f].bins, rows.layout[g].bins);
    const Code* row = rows.codes[f];
    const std::uint8_t* place = fixed.place[g].data();
    const std::size_t stride = table.vectors * table_lanes;
    std::int32_t* cells = table.cell.cells();
    const std::int32_t* weight = fixed.weight.data();
    for (std::size_t i = 0; i < rows.size(); ++i) cells[row[i] * stride + place[i]] += weight[i];
}

void scan_lanes(const Layout& layout, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneTable& table,
                Children& children) {
    scan_prefixes(table, fixed.column_total[g].vectors(), fixed.row_total[f].data());
    const std::int32_t all = fixed.row_total[f][layout[f].bins - 1];
    auto offer = [&](std::size_t root, std::size_t number, std::size_t child, const PrefixExtremes& seen,
                     std::size_t at) {
        const std::int32_t left = fixed.row_total[root][number];
        const double left_value = stump_value(seen.high_left.cells()[at], seen.low_left.cells()[at], left, 0.0);
        const double right_value =
            stump_value(seen.high_right.cells()[at], seen.low_right.cells()[at], all - left, 0.0);
        children.offer(layout.place(root, number, 0), child, fixed.unit * left_value, fixed.unit * right_value);
    };
    for (std::size_t t = 0; t + 1 < layout[f].bins; ++t) offer(f, t, g, table.of_rows, t);
    for (std::size_t k = 0; k + 1 < layout[g].bins; ++k) offer(g, k, f, table.of_columns, lane_place(k, table.vectors));
}

#define FRANKBOOST_FOR(Code)                                 \
    template FixedPoint fixed_point(const Rows<Code>&, int); \
    template void fill_lanes(const Rows<Code>&, const FixedPoint&, std::size_t, std::size_t, LaneTable&);
FRANKBOOST_FOR(std::uint8_t)
FRANKBOOST_FOR(std::int32_t)

}  // namespace frankboost
