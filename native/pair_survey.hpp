// Pairs of features, each looked at by the cheapest exact method.
#pragma once

#include <array>
#include <mutex>
#include <utility>

#include "pair_lanes.hpp"
#include "rare_pairs.hpp"

namespace frankboost {

using FeaturePair = std::pair<std::size_t, std::size_t>;

enum class Method { same, rare, lanes, table, sweep };

// How a pair is looked at, and what that costs in nanoseconds. Costs are rough but measured; only the choice between
// exact methods, and how many threads are worth starting, hang on them.
struct Plan {
    Method method;
    double cost;
};

// The rows by the bins of each feature, sorted when they are first asked for.
class Orders {
    const Rows& rows_;
    std::vector<Order> order_;
    std::vector<std::once_flag> sorted_;

  public:
    explicit Orders(const Rows& rows) : rows_(rows), order_(rows.features()), sorted_(rows.features()) {}

    const Order& operator[](std::size_t f) {
        std::call_once(sorted_[f], [&] { order_[f] = sort_rows(rows_, f); });
        return order_[f];
    }
};

// What a worker fills again and again.
struct Workspace {
    Children children;
    std::array<Table, tables_at_once> tables{};
    LaneSpace lanes{};
};

class PairSurvey {
    const Rows& rows_;
    const FixedPoint& fixed_;  // which may be empty
    const RarePairs* rare_;    // if there are any
    Orders orders_;

    void look_at_rare(std::size_t f, std::size_t g, Workspace& space) const;
    void look_at_tables(const std::vector<FeaturePair>& pairs, Workspace& space) const;

  public:
    PairSurvey(const Rows& rows, const FixedPoint& fixed, const RarePairs* rare = nullptr)
        : rows_(rows), fixed_(fixed), rare_(rare), orders_(rows) {}

    Plan plan(std::size_t f, std::size_t g) const;

    // Offer the children of both to space.children; f and g may be the same.
    void look_at(std::size_t f, std::size_t g, Workspace& space);

    // Offer the children in order of a pair that was postponed.
    void look_in_order(const Children::Later& pair, Workspace& space) const;

    // As many pairs as tables are filled at once, or fewer.
    void look_at(const std::vector<FeaturePair>& pairs, Workspace& space);
};

}  // namespace frankboost
