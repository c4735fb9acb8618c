// Searches pairs of features from tables of sums of u by the bins of both, for many rows and few bins. A table that is
// summed along both axes has the prefix sums left of every split: its rows serve the first feature as root, its columns
// the second. One vectorised pass of bins^2 steps finds their extremes. Reference: best_edge of tests/reference.py.
#include <cstring>

#include "pairs.hpp"

namespace frankboost {
namespace {

constexpr std::size_t lanes = 8;
typedef double Vector __attribute__((vector_size(lanes * sizeof(double))));

// Sums down the columns, then along the rows; four rows at a time, so that no addition waits for the one before it.
FRANKBOOST_VECTORISED void accumulate(double* cell, std::size_t rows, std::size_t columns, std::size_t stride) {
    for (std::size_t t = 1; t < rows; ++t) {
        double* here = cell + t * stride;
        const double* above = here - stride;
        for (std::size_t k = 0; k < stride; ++k) here[k] += above[k];
    }
    std::size_t t = 0;
    for (; t + 4 <= rows + 1; t += 4) {
        double* a = cell + t * stride;
        double *b = a + stride, *c = b + stride, *d = c + stride;
        double sa = a[0], sb = b[0], sc = c[0], sd = d[0];
        for (std::size_t k = 1; k < columns; ++k) {
            a[k] = sa += a[k];
            b[k] = sb += b[k];
            c[k] = sc += c[k];
            d[k] = sd += d[k];
        }
    }
    for (; t < rows + 1; ++t) {
        double* a = cell + t * stride;
        for (std::size_t k = 1; k < columns; ++k) a[k] += a[k - 1];
    }
}

// The extremes over k of c[k] + a[k] and of total[k] - c[k]. The vectors are explicit, since a compiler may not reorder
// a reduction of doubles.
FRANKBOOST_VECTORISED void extremes_along(const double* c, const double* a, const double* total, std::size_t count,
                                          Extremes<double>& out) {
    Extremes<Vector> seen(-infinity, infinity);
    std::size_t k = 0;
    for (; k + lanes <= count; k += lanes) {
        Vector here, add, all;
        std::memcpy(&here, c + k, sizeof(Vector));
        std::memcpy(&add, a + k, sizeof(Vector));
        std::memcpy(&all, total + k, sizeof(Vector));
        seen.include(here + add, all - here);
    }
    for (; k < count; ++k) out.include(c[k] + a[k], total[k] - c[k]);
    for (std::size_t lane = 0; lane < lanes; ++lane) out.include_lane(seen, lane);
}

// Updates, for each column k, the extremes of c[k] + added and of total - c[k].
FRANKBOOST_VECTORISED void extremes_down(const double* __restrict c, double added, double total, std::size_t count,
                                         double* __restrict hl, double* __restrict ll, double* __restrict hr,
                                         double* __restrict lr) {
    for (std::size_t k = 0; k < count; ++k) {
        const double left = c[k] + added, right = total - c[k];
        hl[k] = left > hl[k] ? left : hl[k];
        ll[k] = left < ll[k] ? left : ll[k];
        hr[k] = right > hr[k] ? right : hr[k];
        lr[k] = right < lr[k] ? right : lr[k];
    }
}

}  // namespace

void fill_table(const Rows& rows, std::size_t f, std::size_t g, double* cell) {
    const auto fill = [cell, size = rows.size(), weight = rows.weight.data(), stride = rows.layout[g].bins + 1](
                          const auto* cf, const auto* cg) {
        for (std::size_t i = 0; i < size; ++i) cell[cf[i] * stride + cg[i]] += weight[i];
    };
    rows.with_codes(fill, f, g);
}

void fill_tables(const Rows& rows, const TablePair* p) {
    static_assert(tables_at_once == 4, "as many as there are below");
    const auto fill = [&, size = rows.size(), weight = rows.weight.data()](
                          const auto* f0, const auto* g0, const auto* f1, const auto* g1, const auto* f2,
                          const auto* g2, const auto* f3, const auto* g3) {
        const auto stride = [&](std::size_t k) { return rows.layout[p[k].g].bins + 1; };
        double *const a = p[0].cell, *const b = p[1].cell, *const c = p[2].cell, *const d = p[3].cell;
        const std::size_t A = stride(0), B = stride(1), C = stride(2), D = stride(3);
        for (std::size_t i = 0; i < size; ++i) {
            const double u = weight[i];
            a[f0[i] * A + g0[i]] += u;
            b[f1[i] * B + g1[i]] += u;
            c[f2[i] * C + g2[i]] += u;
            d[f3[i] * D + g3[i]] += u;
        }
    };
    rows.with_codes(fill, p[0].f, p[0].g, p[1].f, p[1].g, p[2].f, p[2].g, p[3].f, p[3].g);
}

void sum_table(const Layout& layout, std::size_t f, std::size_t g, Table& table) {
    accumulate(table.data(), layout[f].bins, layout[g].bins, layout[g].bins + 1);
}

void scan_table(const Layout& layout, std::size_t f, std::size_t g, Table& table, Children& children) {
    if (layout.categorical(f, g)) return scan_categories(layout, f, g, table, children);
    const std::size_t F = layout[f].bins, G = layout[g].bins;
    const auto row = [&](std::size_t t) { return table.data() + t * (G + 1); };
    sum_table(layout, f, g, table);
    const double* with_f = row(F - 1);  // prefix sums by bin of g over the rows where f is present
    const double* without_f = row(F);
    const double both = with_f[G - 1], only_f = with_f[G], only_g = without_f[G - 1], neither = without_f[G];
    PairBounds most = empty_bounds(layout, f, g);
    std::vector<double> extremes(12 * G, 0.0);
    double* const space = extremes.data();
    double *const added[2] = {space, space + G}, *const total[2] = {space + 2 * G, space + 3 * G};
    for (std::size_t k = 0; k < G; ++k) {
        total[0][k] = with_f[k] + without_f[k];
        added[1][k] = without_f[k];
        total[1][k] = with_f[k];
    }
    // By column: high left, low left, high right and low right; first with missing values of g on the right, then left.
    const auto down = [&](std::size_t variant, std::size_t which) { return space + (4 + 4 * variant + which) * G; };
    for (std::size_t variant = 0; variant < layout[g].variants; ++variant)
        for (std::size_t which = 0; which < 4; ++which)
            std::fill_n(down(variant, which), G, which % 2 ? infinity : -infinity);
    for (std::size_t t = 0; t + 1 < F; ++t) {
        const double* c = row(t);
        for (std::size_t variant = 0; variant < layout[f].variants; ++variant) {
            Extremes<double> seen(-infinity, infinity);
            extremes_along(c, added[variant], total[variant], G - 1, seen);
            const double present = c[G - 1] + (variant ? only_g : 0.0), absent = c[G] + (variant ? neither : 0.0);
            const double pays_left = child_value(layout[g], seen.high_left, seen.low_left, present, absent);
            const double pays_right = child_value(layout[g], seen.high_right, seen.low_right, both + only_g - present,
                                                  only_f + neither - absent);
            children.offer(layout.place({f, t, variant}), g, pays_left, pays_right);
            if (layout[f].sign != 0) most[0][variant * F + t] = pays_left + pays_right;
        }
        for (std::size_t variant = 0; variant < layout[g].variants; ++variant)
            extremes_down(c, variant ? c[G] : 0.0, c[G - 1] + (variant ? 0.0 : c[G]), G - 1, down(variant, 0),
                          down(variant, 1), down(variant, 2), down(variant, 3));
    }
    for (std::size_t variant = 0; variant < layout[g].variants; ++variant)
        for (std::size_t k = 0; k + 1 < G; ++k) {
            const double present = with_f[k] + (variant ? only_f : 0.0);
            const double absent = without_f[k] + (variant ? neither : 0.0);
            const double pays_left = child_value(layout[f], down(variant, 0)[k], down(variant, 1)[k], present, absent);
            const double pays_right = child_value(layout[f], down(variant, 2)[k], down(variant, 3)[k],
                                                  both + only_f - present, only_g + neither - absent);
            children.offer(layout.place({g, k, variant}), f, pays_left, pays_right);
            if (layout[g].sign != 0) most[1][variant * G + k] = pays_left + pays_right;
        }
    if (children.postpones)
        postpone(layout, f, g, most, children);
    else if (layout.signs(f, g))
        scan_ordered(layout, f, g, table, most, children);
}

// Root and child split the same feature, so that the prefix sums of both are the same.
void scan_same(const Layout& layout, std::size_t f, const std::vector<double>& sums, Children& children) {
    if (layout[f].categorical) return scan_same_category(layout, f, sums, children);
    const std::size_t bins = layout[f].bins;
    const double absent = sums[bins];
    std::vector<double> prefix(bins), high(bins, -infinity), low(bins, infinity);
    double total = 0.0;
    for (std::size_t t = 0; t < bins; ++t) prefix[t] = total += sums[t];
    for (std::size_t t = bins - 1; t-- > 0;) {  // extremes of prefix over the thresholds at or after t
        high[t] = std::max(high[t + 1], prefix[t]);
        low[t] = std::min(low[t + 1], prefix[t]);
    }
    FeatureKind child = layout[f];
    child.present = true;  // a child at the root's own threshold splits missing values from all numbers
    double left_high = -infinity, left_low = infinity;
    for (std::size_t t = 0; t + 1 < bins; ++t) {
        left_high = std::max(left_high, prefix[t]);
        left_low = std::min(left_low, prefix[t]);
        const double right_high = high[t] - prefix[t], right_low = low[t] - prefix[t];
        for (std::size_t variant = 0; variant < layout[f].variants; ++variant) {
            const double left_absent = variant ? absent : 0.0, right_absent = variant ? 0.0 : absent;
            const std::size_t at = layout.place({f, t, variant});
            children.offer(at, f, child_value(child, left_high, left_low, prefix[t], left_absent),
                           child_value(child, right_high, right_low, total - prefix[t], right_absent));
            if (child.sign == 0) continue;
            children.leaf_left[at] = std::fabs(left_absent) - child.sign * prefix[t];
            children.leaf_right[at] = std::fabs(right_absent) + child.sign * (total - prefix[t]);
        }
    }
}

}  // namespace frankboost
