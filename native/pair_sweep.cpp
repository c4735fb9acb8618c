// Root and child by sweeps over the rows in the order of the root's bins, for few rows or many bins: m log(bins) steps.
#include "pairs.hpp"

namespace frankboost {
namespace {

// A segment tree over the child's thresholds, each node with its sum, its largest and its smallest prefix, and the sums
// of the rows that lie beyond the thresholds.
class Prefixes {
    struct Segment {
        double sum, high, low;
    };
    std::vector<Segment> segment_;
    std::size_t leaves_ = 1, thresholds_;
    double present_ = 0.0, absent_ = 0.0;

  public:
    explicit Prefixes(std::size_t bins) : thresholds_(bins - 1) {
        while (leaves_ < thresholds_) leaves_ *= 2;
        clear();
    }
    void clear() {
        segment_.assign(2 * leaves_, Segment{0.0, 0.0, 0.0});
        present_ = absent_ = 0.0;
    }
    void add(std::size_t code, double u) {
        if (code > thresholds_) {
            absent_ += u;
            return;
        }
        present_ += u;
        if (code == thresholds_) return;
        std::size_t at = leaves_ + code;
        const double sum = segment_[at].sum + u;
        segment_[at] = Segment{sum, sum, sum};
        for (at /= 2; at > 0; at /= 2) {
            const Segment &l = segment_[2 * at], &r = segment_[2 * at + 1];
            segment_[at] = Segment{l.sum + r.sum, std::max(l.high, l.sum + r.high), std::min(l.low, l.sum + r.low)};
        }
    }
    double value(const FeatureKind& child) const {
        return child_value(child, segment_[1].high, segment_[1].low, present_, absent_);
    }
};

// Offer child g left and right of every root split on f.
template <class Code>
void sweep_child(const Rows& rows, std::size_t f, std::size_t g, const Code* code, const Order& order,
                 Children& children) {
    const std::size_t F = rows.layout[f].bins;
    const FeatureKind& child = rows.layout[g];
    Prefixes prefixes(child.bins);
    auto enter = [&](std::size_t bin) {
        for (std::size_t at = order.start[bin]; at < order.start[bin + 1]; ++at)
            prefixes.add(code[order.row[at]], rows.weight[order.row[at]]);
    };
    for (std::size_t variant = 0; variant < rows.layout[f].variants; ++variant) {
        const std::size_t base = rows.layout.place({f, 0, variant});
        prefixes.clear();
        if (variant == 1) enter(F);
        for (std::size_t t = 0; t + 1 < F; ++t) {
            enter(t);
            children.left[base + t].offer({prefixes.value(child), static_cast<std::int32_t>(g)});
        }
        prefixes.clear();
        if (variant == 0) enter(F);
        for (std::size_t t = F - 1; t-- > 0;) {
            enter(t + 1);
            children.right[base + t].offer({prefixes.value(child), static_cast<std::int32_t>(g)});
        }
    }
}

}  // namespace

Order sort_rows(const Rows& rows, std::size_t f) {
    Order order;
    order.start.assign(rows.layout[f].bins + 2, 0);
    order.row.resize(rows.size());
    const auto sort = [&](const auto* code) {
        for (std::size_t i = 0; i < rows.size(); ++i) ++order.start[code[i] + 1];
        for (std::size_t b = 1; b < order.start.size(); ++b) order.start[b] += order.start[b - 1];
        auto next = order.start;
        for (std::size_t i = 0; i < rows.size(); ++i) order.row[next[code[i]]++] = static_cast<std::uint32_t>(i);
    };
    rows.with_codes(sort, f);
    return order;
}

void sweep(const Rows& rows, std::size_t f, std::size_t g, const Order& by_f, const Order& by_g, Children& children) {
    if (rows.layout.categorical(f, g)) return sweep_categories(rows, f, g, by_f, by_g, children);
    const auto both = [&](const auto* cf, const auto* cg) {
        sweep_child(rows, f, g, cg, by_f, children);
        sweep_child(rows, g, f, cf, by_g, children);
    };
    rows.with_codes(both, f, g);
    if (rows.layout[f].sign != 0) sweep_ordered(rows, f, g, by_f, children);
    if (rows.layout[g].sign != 0) sweep_ordered(rows, g, f, by_g, children);
}

}  // namespace frankboost
