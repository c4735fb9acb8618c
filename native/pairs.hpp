// Root and child on two features, or on the same: what the best stump on the child pays left and right of every split
// of the root, offered to `children`. Each function offers both ways, either feature the root and the other the child.
#pragma once

#include <array>
#include <limits>

#include "parallel.hpp"
#include "rows.hpp"

namespace frankboost {

// Pay-off of the best stump over rows with prefix sums in [low, high], non-missing sum `present`, missing sum `absent`.
FRANKBOOST_INLINE double stump_value(double high, double low, double present, double absent) {
    const double sum = present + absent;
    const double most = 2.0 * (high + std::max(absent, 0.0)) - sum;
    const double least = sum - 2.0 * (low + std::min(absent, 0.0));
    return std::max(std::fabs(sum), std::max(most, least));
}

// The same for a child whose feature may have a sign: then its numbers vote in one order only. Missing values have no
// part in that order, so that a threshold that does nothing but tell them from all numbers is not held to it.
FRANKBOOST_INLINE double child_value(const FeatureKind& child, double high, double low, double present, double absent) {
    if (child.sign == 0) return stump_value(high, low, present, absent);
    const double sum = present + absent;
    const double most = 2.0 * (high + std::max(absent, 0.0)) - sum;
    const double least = sum - 2.0 * (low + std::min(absent, 0.0));
    const double best = std::max(std::fabs(sum), child.sign > 0 ? least : most);
    return child.present ? std::max(best, std::fabs(present - absent)) : best;
}

// Extremes of the prefix sums left and right of splits, of numbers or of vectors of them; aligned for the widest of the
// vectorised copies of a loop.
template <class T>
struct alignas(sizeof(T)) Extremes {
    T high_left, low_left, high_right, low_right;

    // Before any sum: low and high are the least and the largest number.
    template <class Number>
    FRANKBOOST_INLINE Extremes(Number low, Number high)
        : high_left(T{} + low), low_left(T{} + high), high_right(T{} + low), low_right(T{} + high) {}

    FRANKBOOST_INLINE void see(const T& left, const T& right) {
        high_left = left > high_left ? left : high_left;
        low_left = left < low_left ? left : low_left;
        high_right = right > high_right ? right : high_right;
        low_right = right < low_right ? right : low_right;
    }
    // Take in those of one lane of vectors.
    template <class Lanes>
    FRANKBOOST_INLINE void take(const Extremes<Lanes>& seen, std::size_t lane) {
        high_left = std::max<T>(high_left, seen.high_left[lane]);
        low_left = std::min<T>(low_left, seen.low_left[lane]);
        high_right = std::max<T>(high_right, seen.high_right[lane]);
        low_right = std::min<T>(low_right, seen.low_right[lane]);
    }
};

// The best child on one side of a root split over the features seen so far; ties go to the first feature, so that the
// order in which features are seen does not matter.
struct Child {
    double value = 0.0;
    std::int32_t feature = std::numeric_limits<std::int32_t>::max();

    void offer(const Child& other) {
        if (other.value > value || (other.value == value && other.feature < feature)) *this = other;
    }
};

// The best children of every root split.
struct Children {
    std::vector<Child> left, right;
    // For ordered roots, see order.hpp: the best children on one feature whose votes are in order, and what a side pays
    // as the leaf above or below anything; empty if no root is ordered.
    std::vector<Child> both{};
    std::vector<double> leaf_left{}, leaf_right{};
    std::vector<std::uint8_t> ordered{};
    double floor = -infinity;  // what a tree is known to pay: children in order that pay no more are left out
    // Pairs of features whose children in order are looked at when more is known, and what they pay at most.
    struct Later {
        std::size_t f, g;
        double most;
    };
    bool postpones = false;
    std::vector<Later> later{};

    explicit Children(const Layout& layout) : left(layout.size()), right(layout.size()) {
        if (!layout.signs()) return;
        both.resize(layout.size());
        leaf_left.assign(layout.size(), -infinity);
        leaf_right.assign(layout.size(), -infinity);
        ordered.assign(layout.size(), 0);
        for (std::size_t f = 0; f < layout.features(); ++f)
            layout.for_each_root(f, [&](const Root& root) { ordered[layout.place(root)] = layout.ordered(root); });
    }
    double value(std::size_t at) const {
        if (ordered.empty() || !ordered[at]) return left[at].value + right[at].value;
        return std::max(with_leaf(at), both[at].value);
    }
    // What an ordered root pays if one of its sides is a leaf.
    double with_leaf(std::size_t at) const {
        return std::max(leaf_left[at] + right[at].value, left[at].value + leaf_right[at]);
    }
    bool has_both(std::size_t at) const { return !ordered.empty() && ordered[at] && both[at].value > with_leaf(at); }
    void offer(std::size_t at, std::size_t feature, double left_value, double right_value) {
        left[at].offer({left_value, static_cast<std::int32_t>(feature)});
        right[at].offer({right_value, static_cast<std::int32_t>(feature)});
    }
    void merge(const Children& other) {
        for (std::size_t at = 0; at < left.size(); ++at) {
            left[at].offer(other.left[at]);
            right[at].offer(other.right[at]);
        }
        for (std::size_t at = 0; at < both.size(); ++at) {
            offer_both(at, other.both[at]);
            leaf_left[at] = std::max(leaf_left[at], other.leaf_left[at]);
            leaf_right[at] = std::max(leaf_right[at], other.leaf_right[at]);
        }
    }
    void offer_both(std::size_t at, const Child& child) {
        if (child.value > floor) both[at].offer(child);
    }
    // Whether children in order that pay at most so much matter.
    bool open(std::size_t at, double most) const { return ordered[at] && most > std::max(with_leaf(at), floor); }
    // To what a tree pays without children in order, but for a slack; such children that pay no more are forgotten.
    void raise_floor(double slack) {
        double best = -infinity;
        for (std::size_t at = 0; at < left.size(); ++at)
            best = std::max(best, ordered[at] ? with_leaf(at) : left[at].value + right[at].value);
        floor = std::max(floor, best - slack);
        for (Child& child : both)
            if (child.value <= floor) child = Child{};
    }
    void replace(const Children& other, std::size_t begin, std::size_t end) {
        const auto copy = [&](const auto& from, auto& to) {
            if (!to.empty()) std::copy(&from[begin], &from[begin] + (end - begin), &to[begin]);
        };
        copy(other.left, left);
        copy(other.right, right);
        copy(other.both, both);
        copy(other.leaf_left, leaf_left);
        copy(other.leaf_right, leaf_right);
    }
};

// Sums of u by the bins of two features: one row for each bin of the first, one column for each of the second, the last
// of each for missing values. Tables of parts of the rows add up to that of all rows.
using Table = std::vector<double>;

inline std::size_t table_size(const Layout& layout, std::size_t f, std::size_t g) {
    return (layout[f].bins + 1) * (layout[g].bins + 1);
}
void fill_table(const Rows& rows, std::size_t f, std::size_t g, double* cell);  // adds to what is there

// Four tables at once, the same sums: an addition to a cell that was just written waits for it, and features of few
// values have few cells.
struct TablePair {
    std::size_t f, g;
    double* cell;
};
constexpr std::size_t tables_at_once = 4;
void fill_tables(const Rows& rows, const TablePair* pairs);

void scan_table(const Layout& layout, std::size_t f, std::size_t g, Table& table, Children& children);  // uses it up

// Root and child on the same feature, from the sums of u by its bins.
void scan_same(const Layout& layout, std::size_t f, const std::vector<double>& sums, Children& children);

// Rows by bin of one feature, missing values last.
struct Order {
    std::vector<std::uint32_t> row;
    std::vector<std::size_t> start;  // of each bin; start[bins] begins the missing rows, start[bins + 1] ends them
};

Order sort_rows(const Rows& rows, std::size_t f);
void sweep(const Rows& rows, std::size_t f, std::size_t g, const Order& by_f, const Order& by_g, Children& children);

// The child g left and right of some roots on f, by their places; features of numbers without signs.
using RootFlags = std::vector<std::uint8_t>;
void sweep_some(const Rows& rows, std::size_t f, std::size_t g, const Order& by_f, const RootFlags& left,
                const RootFlags& right, Children& children);

// For `Children::both`, of features without categories (order.hpp): from a summed table, and by a sweep over the roots
// on f. `most` has what both children pay at most below each root on f and on g, by variant and number.
using Most = std::array<std::vector<double>, 2>;
Most most_of(const Layout& layout, std::size_t f, std::size_t g);  // to be filled in
void look_later(const Layout& layout, std::size_t f, std::size_t g, const Most& most, Children& children);
void scan_ordered(const Layout& layout, std::size_t f, std::size_t g, const Table& summed, const Most& most,
                  Children& children);
void sum_table(const Layout& layout, std::size_t f, std::size_t g, Table& table);  // along both axes
void sweep_ordered(const Rows& rows, std::size_t f, std::size_t g, const Order& by_f, Children& children);

// The same three where a feature is categorical.
void scan_categories(const Layout& layout, std::size_t f, std::size_t g, const Table& table, Children& children);
void scan_same_category(const Layout& layout, std::size_t f, const std::vector<double>& sums, Children& children);
void sweep_categories(const Rows& rows, std::size_t f, std::size_t g, const Order& by_f, const Order& by_g,
                      Children& children);

}  // namespace frankboost
