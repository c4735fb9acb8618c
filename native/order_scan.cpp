// Computes what the best children in order pay below ordered roots (order.hpp), from summed tables, many roots at once,
// or by sweeps with a segment tree. Reference: enumeration in tests/constrained.py.
//
// With prefix sums X and Y along the child's cuts, the best children are those with the least X(a) + Y(b) over b <= a:
// a running minimum. If the children rise, X is of the side that votes less and Y of the other side; if they fall, X is
// minus that of the other side and Y minus that of the side that votes less.
#include "pairs.hpp"

namespace frankboost {
namespace {

// For each root r: run = the least Y(b) up to the cut k, best = the least X(a) + Y(b); X = x + s c, Y = y - s c.
template <int s>
FRANKBOOST_INLINE void nest(const double* cell, std::size_t stride, std::size_t cuts, std::size_t roots,
                            const double* x, const double* y, double* __restrict run, double* __restrict best) {
    for (std::size_t k = 0; k < cuts; ++k) {
        const double* __restrict c = cell + k * stride;
        const double here = x[k], there = y[k];
        for (std::size_t r = 0; r < roots; ++r) {
            const double upper = s > 0 ? there - c[r] : there + c[r], lower = s > 0 ? here + c[r] : here - c[r];
            run[r] = upper < run[r] ? upper : run[r];
            best[r] = lower + run[r] < best[r] ? lower + run[r] : best[r];
        }
    }
}
FRANKBOOST_VECTORISED void nest_up(const double* cell, std::size_t stride, std::size_t cuts, std::size_t roots,
                                   const double* x, const double* y, double* __restrict run, double* __restrict best) {
    nest<1>(cell, stride, cuts, roots, x, y, run, best);
}
FRANKBOOST_VECTORISED void nest_down(const double* cell, std::size_t stride, std::size_t cuts, std::size_t roots,
                                     const double* x, const double* y, double* __restrict run,
                                     double* __restrict best) {
    nest<-1>(cell, stride, cuts, roots, x, y, run, best);
}

// A table that is summed along both axes. It has one row per bin of the child and, last, one for its missing values;
// one column per bin of the root; and `stride` entries from row to row.
struct SummedTable {
    const double* cell;
    std::size_t stride;
    const double* row(std::size_t k) const { return cell + k * stride; }
};

// The largest bound on children in order below the roots on f for which they are worth a search; -infinity if none is.
double largest_open_bound(const Layout& layout, std::size_t f, const std::vector<double>& most,
                          const Children& children) {
    const std::size_t F = layout[f].bins;
    double found = -infinity;
    if (layout[f].sign == 0) return found;
    for (std::size_t variant = 0; variant < layout[f].variants; ++variant)
        for (std::size_t t = 0; t + 1 < F; ++t)
            if (children.worth_search(layout.place({f, t, variant}), most[variant * F + t]))
                found = std::max(found, most[variant * F + t]);
    return found;
}

// Offers children in order on g to the roots on f. `most` bounds what they pay below each root, by variant and number:
// roots for which a leaf on one side is known to pay as much are skipped.
void offer_ordered(const Layout& layout, std::size_t f, std::size_t g, const SummedTable& table,
                   const std::vector<double>& most, Children& children) {
    const std::size_t F = layout[f].bins, G = layout[g].bins;
    const FeatureKind& child = layout[g];
    const int sign = layout[f].sign;
    // The last column of a row counts the rows where f is missing: it is not summed along the row.
    const double total = table.row(G - 1)[F - 1] + table.row(G - 1)[F];
    const double absent = table.row(G)[F - 1] + table.row(G)[F];
    std::vector<double> left(G), right(G), x(G), y(G), run(F), best(F);
    for (std::size_t variant = 0; variant < layout[f].variants; ++variant) {
        const std::size_t base = layout.place({f, 0, variant});
        const auto open = [&](std::size_t t) { return children.worth_search(base + t, most[variant * F + t]); };
        std::size_t first = 0, last = F - 1;
        while (first < last && !open(first)) ++first;
        while (first < last && !open(last - 1)) --last;
        if (first == last) continue;
        for (std::size_t k = 0; k + 1 < G; ++k) {
            left[k] = variant ? table.row(k)[F] : 0.0;
            right[k] = table.row(k)[F - 1] + (variant ? 0.0 : table.row(k)[F]);
        }
        for (const int rises : {1, -1}) {
            if (child.sign == -rises) continue;
            const bool same = sign * rises > 0;
            for (std::size_t k = 0; k + 1 < G; ++k) {
                x[k] = rises * (same ? left[k] : right[k]);
                y[k] = rises * (same ? right[k] : left[k]);
            }
            std::fill(run.begin(), run.end(), child.present ? 0.0 : infinity);
            std::fill(best.begin(), best.end(), infinity);
            // Left prefix sums are left + c, right ones right - c; if the children fall, both change their signs.
            (sign > 0 ? nest_up : nest_down)(table.cell + first, table.stride, G - 1, last - first, x.data(), y.data(),
                                             run.data() + first, best.data() + first);
            for (std::size_t t = first; t < last; ++t) {
                const double gone = table.row(G)[t] + (variant ? table.row(G)[F] : 0.0);
                const double missing = std::max(std::fabs(absent), sign * (absent - 2.0 * gone));
                children.offer_both(base + t, {rises * total - 2.0 * best[t] + missing, static_cast<std::int32_t>(g)});
            }
        }
    }
}

// A segment tree over the child's cuts with the sums of both sides; its root has the least X(a) + Y(b) over b <= a.
class NestedPrefixes {
    struct Segment {
        double x = 0.0, y = 0.0, low_x = 0.0, low_y = 0.0, nested = 0.0;
    };
    std::vector<Segment> segment_{};
    std::size_t leaves_ = 1;

  public:
    explicit NestedPrefixes(std::size_t cuts) {
        while (leaves_ < cuts) leaves_ *= 2;
        segment_.resize(2 * leaves_);
        for (std::size_t at = leaves_ + cuts; at < 2 * leaves_; ++at)
            segment_[at] = {0.0, 0.0, infinity, infinity, infinity};
        for (std::size_t at = leaves_; at-- > 1;) update(at);
    }
    void update(std::size_t at) {
        const Segment &l = segment_[2 * at], &r = segment_[2 * at + 1];
        segment_[at] = {l.x + r.x, l.y + r.y, std::min(l.low_x, l.x + r.low_x), std::min(l.low_y, l.y + r.low_y),
                        std::min({l.nested, l.x + l.y + r.nested, l.low_y + l.x + r.low_x})};
    }
    void add(std::size_t cut, double x, double y) {
        std::size_t at = leaves_ + cut;
        Segment& here = segment_[at];
        here.x += x;
        here.y += y;
        here.low_x = here.x;
        here.low_y = here.y;
        here.nested = here.x + here.y;
        for (at /= 2; at > 0; at /= 2) update(at);
    }
    double least(bool present) const {
        return present ? std::min(segment_[1].nested, segment_[1].low_x) : segment_[1].nested;
    }
};

// Offers children in order on g, which both rise or both fall, to the roots on f of one variant.
template <class Code>
void sweep_one(const Rows& rows, std::size_t f, std::size_t g, int rises, std::size_t variant, const Code* code,
               const Order& order, Children& children) {
    const Layout& layout = rows.layout;
    const std::size_t F = layout[f].bins, G = layout[g].bins;
    const int sign = layout[f].sign;
    NestedPrefixes prefixes(G - 1);
    double total = 0.0, absent = 0.0,
           gone = 0.0;  // sums of u: g's numbers, its missing values, those of them on the left
    const auto add = [&](std::size_t i, double to_left, double to_right) {
        const auto at = static_cast<std::size_t>(code[i]);
        const double u = rows.weight[i];
        if (at == G) gone += to_left * u;
        if (at + 1 >= G) return;
        if (sign * rises > 0)
            prefixes.add(at, rises * to_left * u, rises * to_right * u);
        else
            prefixes.add(at, rises * to_right * u, rises * to_left * u);
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        (static_cast<std::size_t>(code[i]) == G ? absent : total) += rows.weight[i];
        add(i, 0.0, 1.0);
    }
    const auto cross = [&](std::size_t bin) {
        for (std::size_t at = order.start[bin]; at < order.start[bin + 1]; ++at) add(order.row[at], 1.0, -1.0);
    };
    if (variant == 1) cross(F);
    for (std::size_t t = 0; t + 1 < F; ++t) {
        cross(t);
        const double missing = std::max(std::fabs(absent), sign * (absent - 2.0 * gone));
        const double pays = rises * total - 2.0 * prefixes.least(layout[g].present) + missing;
        children.offer_both(layout.place({f, t, variant}), {pays, static_cast<std::int32_t>(g)});
    }
}

}  // namespace

PairBounds empty_bounds(const Layout& layout, std::size_t f, std::size_t g) {
    PairBounds most;
    if (layout[f].sign != 0) most[0].resize(2 * layout[f].bins);
    if (layout[g].sign != 0) most[1].resize(2 * layout[g].bins);
    return most;
}

void postpone(const Layout& layout, std::size_t f, std::size_t g, const PairBounds& most, Children& children) {
    const double found =
        std::max(largest_open_bound(layout, f, most[0], children), largest_open_bound(layout, g, most[1], children));
    if (found > -infinity) children.postponed.push_back({f, g, found});
}

void scan_ordered(const Layout& layout, std::size_t f, std::size_t g, const Table& summed, const PairBounds& most,
                  Children& children) {
    constexpr std::size_t some = 8;  // the transpose goes by tiles of 8 x 8, which fit into the fastest cache
    const std::size_t height = layout[f].bins + 1, width = layout[g].bins + 1;
    if (largest_open_bound(layout, g, most[1], children) > -infinity)
        offer_ordered(layout, g, f, {summed.data(), width}, most[1], children);
    if (largest_open_bound(layout, f, most[0], children) == -infinity) return;
    Table turned(summed.size());
    for (std::size_t row = 0; row < height; row += some)
        for (std::size_t column = 0; column < width; column += some)
            for (std::size_t k = column; k < std::min(column + some, width); ++k)
                for (std::size_t t = row; t < std::min(row + some, height); ++t)
                    turned[k * height + t] = summed[t * width + k];
    offer_ordered(layout, f, g, {turned.data(), height}, most[0], children);
}

void sweep_ordered(const Rows& rows, std::size_t f, std::size_t g, const Order& by_f, Children& children) {
    const auto work = [&](const auto* code) {
        for (std::size_t variant = 0; variant < rows.layout[f].variants; ++variant)
            for (const int rises : {1, -1})
                if (rows.layout[g].sign != -rises) sweep_one(rows, f, g, rises, variant, code, by_f, children);
    };
    rows.with_codes(work, g);
}

}  // namespace frankboost
