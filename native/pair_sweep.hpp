// Root and child on two features, by sweeps over the rows in the order of the root's bins: for few rows or many bins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "children.hpp"
#include "rows.hpp"
#include "stumps.hpp"

namespace frankboost {

// Rows by bin of one feature, missing values last.
struct Order {
    std::vector<std::uint32_t> row;
    std::vector<std::size_t> start;  // of each bin; start[bins] begins the missing rows, start[bins + 1] ends them
};

template <class Code>
Order sort_rows(const Rows<Code>& rows, std::size_t f);

// A segment tree over the child's thresholds, each node with its sum, its largest and its smallest prefix, and the sums
// of the rows that lie beyond the thresholds.
class alignas(64) Prefixes {  // a cache line of its own for each worker
    struct Segment {
        double sum, high, low;
    };
    std::vector<Segment> segment_;
    std::size_t leaves_ = 1, thresholds_ = 0;
    double present_ = 0.0, absent_ = 0.0;

  public:
    void clear(std::size_t bins) {
        thresholds_ = bins - 1;
        for (leaves_ = 1; leaves_ < thresholds_;) leaves_ *= 2;
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
    double value() const { return stump_value(segment_[1].high, segment_[1].low, present_, absent_); }
};

// Offer child g left and right of every root split on f, both of them numbers. m log(bins) steps.
template <class Code>
void sweep_numbers(const Rows<Code>& rows, std::size_t f, std::size_t g, const Order& order, Prefixes& prefixes,
                   Children& children);

// The same if one of them is categorical and the other has too many bins for a table.
template <class Code>
void sweep_categories(const Rows<Code>& rows, std::size_t f, std::size_t g, const Order& order, Children& children);

}  // namespace frankboost
