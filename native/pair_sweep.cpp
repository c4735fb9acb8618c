// Searches pairs of features by sweeps, for few rows or many bins. The rows cross the root in the order of its bins,
// and a segment tree keeps the extreme prefix sums of the child: m log(bins) steps. Reference: tests/test_native.py,
// where tables and sweeps agree.
#include "pairs.hpp"

namespace frankboost {
namespace {

// A segment tree over the child's thresholds: each node has its sum and its largest and smallest prefix sum. Also the
// sums of all rows with a number and of those without. Nodes are updated when the value is asked for.
class Prefixes {
    struct Segment {
        double sum, high, low;
    };
    std::vector<Segment> segment_;
    std::vector<std::size_t> changed_{};  // leaves
    std::size_t leaves_ = 1, levels_ = 0, thresholds_;
    double present_ = 0.0, absent_ = 0.0;

    void sum_up(std::size_t at) {
        const Segment &l = segment_[2 * at], &r = segment_[2 * at + 1];
        segment_[at] = Segment{l.sum + r.sum, std::max(l.high, l.sum + r.high), std::min(l.low, l.sum + r.low)};
    }
    void settle() {
        if (changed_.size() * levels_ < leaves_) {
            for (std::size_t leaf : changed_)
                for (std::size_t at = leaf / 2; at > 0; at /= 2) sum_up(at);
        } else {
            for (std::size_t at = leaves_ - 1; at > 0; --at) sum_up(at);
        }
        changed_.clear();
    }

  public:
    explicit Prefixes(std::size_t bins) : thresholds_(bins - 1) {
        for (; leaves_ < thresholds_; leaves_ *= 2) ++levels_;
        clear();
    }
    void clear() {
        segment_.assign(2 * leaves_, Segment{0.0, 0.0, 0.0});
        changed_.clear();
        present_ = absent_ = 0.0;
    }
    void add(std::size_t code, double u) {
        if (code > thresholds_) {
            absent_ += u;
            return;
        }
        present_ += u;
        if (code == thresholds_) return;
        const double sum = segment_[leaves_ + code].sum + u;
        segment_[leaves_ + code] = Segment{sum, sum, sum};
        changed_.push_back(leaves_ + code);
    }
    double value(const FeatureKind& child) {
        settle();
        return child_value(child, segment_[1].high, segment_[1].low, present_, absent_);
    }
};

// Offers child g to the left and right sides of root splits on f, for the places where left(place) and right(place)
// hold.
template <class Code, class Left, class Right>
void sweep_child(const Rows& rows, std::size_t f, std::size_t g, const Code* code, const Order& order, const Left& left,
                 const Right& right, Children& children) {
    const std::size_t F = rows.layout[f].bins;
    const FeatureKind& child = rows.layout[g];
    Prefixes prefixes(child.bins);
    auto enter = [&](std::size_t bin) {
        for (std::size_t at = order.start[bin]; at < order.start[bin + 1]; ++at)
            prefixes.add(code[order.row[at]], rows.weight[order.row[at]]);
    };
    const auto offer = [&](Child& best) { best.offer({prefixes.value(child), static_cast<std::int32_t>(g)}); };
    for (std::size_t variant = 0; variant < rows.layout[f].variants; ++variant) {
        const std::size_t base = rows.layout.place({f, 0, variant});
        std::size_t first = 0, end = F - 1;
        while (end > 0 && !left(base + end - 1)) --end;
        prefixes.clear();
        if (variant == 1) enter(F);
        for (std::size_t t = 0; t < end; ++t) {
            enter(t);
            if (left(base + t)) offer(children.left[base + t]);
        }
        while (first + 1 < F && !right(base + first)) ++first;
        prefixes.clear();
        if (variant == 0) enter(F);
        for (std::size_t t = F - 1; t-- > first;) {
            enter(t + 1);
            if (right(base + t)) offer(children.right[base + t]);
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

void sweep_flagged(const Rows& rows, std::size_t f, std::size_t g, const Order& by_f, const RootFlags& left,
                   const RootFlags& right, Children& children) {
    const auto is_left = [flag = left.data()](std::size_t at) { return flag[at] != 0; };
    const auto is_right = [flag = right.data()](std::size_t at) { return flag[at] != 0; };
    const auto one = [&](const auto* code) { sweep_child(rows, f, g, code, by_f, is_left, is_right, children); };
    rows.with_codes(one, g);
}

void sweep(const Rows& rows, std::size_t f, std::size_t g, const Order& by_f, const Order& by_g, Children& children) {
    if (rows.layout.categorical(f, g)) return sweep_categories(rows, f, g, by_f, by_g, children);
    const auto all = [](std::size_t) { return true; };
    const auto both = [&](const auto* cf, const auto* cg) {
        sweep_child(rows, f, g, cg, by_f, all, all, children);
        sweep_child(rows, g, f, cf, by_g, all, all, children);
    };
    rows.with_codes(both, f, g);
    if (rows.layout[f].sign != 0) sweep_ordered(rows, f, g, by_f, children);
    if (rows.layout[g].sign != 0) sweep_ordered(rows, g, f, by_g, children);
}

}  // namespace frankboost
