// The search of a pair of features: the best children on either feature below all roots on the other.
#pragma once

#include <array>
#include <mutex>
#include <utility>

#include "pair_lanes.hpp"
#include "rare_pairs.hpp"

namespace frankboost {

using FeaturePair = std::pair<std::size_t, std::size_t>;

enum class Method { same, rare, lanes, table, sweep };

// The method for a pair, and its cost in nanoseconds. Costs are measured, but rough: only the choice between exact
// methods and the number of threads depend on them.
struct Plan {
    Method method;
    double cost;
};

// The rows sorted by the bins of each feature, when that is first asked for.
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

// The memory of a worker, used again for every pair.
struct Workspace {
    Children children;
    std::array<Table, tables_at_once> tables{};
    LaneSpace lanes{};
};

class PairSurvey {
    const Rows& rows_;
    const FixedPoint& fixed_;  // without weights: the search is in double precision
    const RarePairs* rare_;    // may be null
    Orders orders_;

    void search_rare_tables(std::size_t f, std::size_t g, Workspace& space) const;
    void search_tables(const std::vector<FeaturePair>& pairs, Workspace& space) const;

  public:
    PairSurvey(const Rows& rows, const FixedPoint& fixed, const RarePairs* rare = nullptr)
        : rows_(rows), fixed_(fixed), rare_(rare), orders_(rows) {}

    Plan plan(std::size_t f, std::size_t g) const;

    // Offers the best children of a pair to space.children; f and g may be the same.
    void search(std::size_t f, std::size_t g, Workspace& space);

    // Offers the children in order (order.hpp) of a postponed pair.
    void search_postponed(const Children::PostponedPair& pair, Workspace& space) const;

    // The same for up to `tables_at_once` pairs, whose tables are filled at once.
    void search(const std::vector<FeaturePair>& pairs, Workspace& space);
};

}  // namespace frankboost
