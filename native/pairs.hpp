// The search of pairs of features: what the best stump on one feature pays left and right of every root split on the
// other. Each function offers its results to `children` both ways, with either feature as the root, unless it says
// else.
#pragma once

#include <array>
#include <limits>

#include "parallel.hpp"
#include "rows.hpp"

namespace frankboost {

// What the best stump pays over rows whose prefix sums are in [low, high], with the sum `present` of the rows with a
// number and `absent` of those without.
FRANKBOOST_INLINE double stump_value(double high, double low, double present, double absent) {
    const double sum = present + absent;
    const double most = 2.0 * (high + std::max(absent, 0.0)) - sum;
    const double least = sum - 2.0 * (low + std::min(absent, 0.0));
    return std::max(std::fabs(sum), std::max(most, least));
}

// The same for a child whose feature may have a sign, so that its numbers vote in one order only. A threshold that only
// splits missing values from all numbers is exempt from the order.
FRANKBOOST_INLINE double child_value(const FeatureKind& child, double high, double low, double present, double absent) {
    if (child.sign == 0) return stump_value(high, low, present, absent);
    const double sum = present + absent;
    const double most = 2.0 * (high + std::max(absent, 0.0)) - sum;
    const double least = sum - 2.0 * (low + std::min(absent, 0.0));
    const double best = std::max(std::fabs(sum), child.sign > 0 ? least : most);
    return child.present ? std::max(best, std::fabs(present - absent)) : best;
}

// The extremes of the prefix sums left and right of splits, as numbers or as vectors of numbers; aligned for the widest
// vectors of a loop.
template <class T>
struct alignas(sizeof(T)) Extremes {
    T high_left, low_left, high_right, low_right;

    // No sums yet; `low` and `high` are the least and the largest number.
    template <class Number>
    FRANKBOOST_INLINE Extremes(Number low, Number high)
        : high_left(T{} + low), low_left(T{} + high), high_right(T{} + low), low_right(T{} + high) {}

    FRANKBOOST_INLINE void include(const T& left, const T& right) {
        high_left = left > high_left ? left : high_left;
        low_left = left < low_left ? left : low_left;
        high_right = right > high_right ? right : high_right;
        low_right = right < low_right ? right : low_right;
    }
    // Includes the extremes of one lane of vectors.
    template <class Lanes>
    FRANKBOOST_INLINE void include_lane(const Extremes<Lanes>& seen, std::size_t lane) {
        high_left = std::max<T>(high_left, seen.high_left[lane]);
        low_left = std::min<T>(low_left, seen.low_left[lane]);
        high_right = std::max<T>(high_right, seen.high_right[lane]);
        low_right = std::min<T>(low_right, seen.low_right[lane]);
    }
};

// The best child on one side of a root split among the features offered so far. Ties go to the first feature, so that
// the result does not depend on the order of the offers.
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
    // For ordered roots (order.hpp): the best children in order, and what a side pays as a leaf. Empty if no root is
    // ordered.
    std::vector<Child> both{};
    std::vector<double> leaf_left{}, leaf_right{};
    std::vector<std::uint8_t> ordered{};
    double floor = -infinity;  // some tree pays this much: children in order that pay no more are left out
    // A pair of features whose children in order are searched later, and an upper bound on what they pay.
    struct PostponedPair {
        std::size_t f, g;
        double most;
    };
    bool postpones = false;
    std::vector<PostponedPair> postponed{};

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
    // What an ordered root pays with a leaf on one of its sides.
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
    // Whether children in order that pay at most `most` may improve the root.
    bool worth_search(std::size_t at, double most) const {
        return ordered[at] && most > std::max(with_leaf(at), floor);
    }
    // Raises the floor to what the best tree without children in order pays, less a slack; forgets children in order
    // that pay no more.
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

// Sums of u by the bins of two features: one row per bin of the first feature, one column per bin of the second, and
// one more each for missing values. The tables of parts of the rows add up to the table of all rows.
using Table = std::vector<double>;

inline std::size_t table_size(const Layout& layout, std::size_t f, std::size_t g) {
    return (layout[f].bins + 1) * (layout[g].bins + 1);
}
void fill_table(const Rows& rows, std::size_t f, std::size_t g, double* cell);  // adds to what is there

// Fills four tables in one pass over the rows: additions to the same cell wait for each other, which takes long where
// features have few bins.
struct TablePair {
    std::size_t f, g;
    double* cell;
};
constexpr std::size_t tables_at_once = 4;
void fill_tables(const Rows& rows, const TablePair* pairs);

void scan_table(const Layout& layout, std::size_t f, std::size_t g, Table& table, Children& children);  // uses it up

// Root and child on the same feature, from the sums of u by its bins.
void scan_same(const Layout& layout, std::size_t f, const std::vector<double>& sums, Children& children);

// The rows sorted by the bin of one feature, missing values last.
struct Order {
    std::vector<std::uint32_t> row;
    std::vector<std::size_t> start;  // of each bin; start[bins] begins the missing rows, start[bins + 1] ends them
};

Order sort_rows(const Rows& rows, std::size_t f);
void sweep(const Rows& rows, std::size_t f, std::size_t g, const Order& by_f, const Order& by_g, Children& children);

// Offers child g to the flagged sides of roots on f, by their places; for features of numbers without signs.
using RootFlags = std::vector<std::uint8_t>;
void sweep_flagged(const Rows& rows, std::size_t f, std::size_t g, const Order& by_f, const RootFlags& left,
                   const RootFlags& right, Children& children);

// Children in order (order.hpp) on features without categories, for `Children::both`: from a summed table, and by a
// sweep over the roots on f. PairBounds has upper bounds on what both children pay below each root, on f at [0] and on
// g at [1], by variant and number.
using PairBounds = std::array<std::vector<double>, 2>;
PairBounds empty_bounds(const Layout& layout, std::size_t f, std::size_t g);  // to be filled in
void postpone(const Layout& layout, std::size_t f, std::size_t g, const PairBounds& most, Children& children);
void scan_ordered(const Layout& layout, std::size_t f, std::size_t g, const Table& summed, const PairBounds& most,
                  Children& children);
void sum_table(const Layout& layout, std::size_t f, std::size_t g, Table& table);  // along both axes
void sweep_ordered(const Rows& rows, std::size_t f, std::size_t g, const Order& by_f, Children& children);

// The same as scan_table, scan_same and sweep, for pairs with a categorical feature.
void scan_categories(const Layout& layout, std::size_t f, std::size_t g, const Table& table, Children& children);
void scan_same_category(const Layout& layout, std::size_t f, const std::vector<double>& sums, Children& children);
void sweep_categories(const Rows& rows, std::size_t f, std::size_t g, const Order& by_f, const Order& by_g,
                      Children& children);

}  // namespace frankboost
