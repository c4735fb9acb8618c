// For every pair of features there are two ways to get the extreme prefixes left and right of every root split: tables
// (pair_tables.cpp, in fixed point pair_lanes.cpp) and sweeps (pair_sweep.cpp). Both are exact, and the cheaper one is
// taken.
#include "survey.hpp"

#include <mutex>
#include <utility>

namespace frankboost {
namespace {

enum class Method { same, lanes, table, sweep };

// How a pair is looked at, and what that costs in nanoseconds. Costs are rough but measured; only the choice between
// exact methods, and how many threads are worth starting, hang on them.
struct Plan {
    Method method;
    double cost;
};

Plan plan_of(const Layout& layout, double rows, bool fixed, std::size_t f, std::size_t g) {
    const auto number = [](std::size_t count) { return static_cast<double>(count); };
    const double F = number(layout[f].bins), G = number(layout[g].bins);
    const bool sets = layout.categorical(f, g), small = std::max(F, G) <= number(most_bins);
    const double table = small ? 2.0 * rows + 0.5 * F * G : infinity;
    const double sweep = 2.0 * rows * (4.0 + 2.0 * (std::log2(F) + std::log2(G)));
    const double roots_f = number(layout[f].numbers * layout[f].variants);
    const double roots_g = number(layout[g].numbers * layout[g].variants);
    const bool lanes = fixed && !sets && !layout[f].missing && !layout[g].missing;
    const Method by_table = lanes ? Method::lanes : Method::table;
    const Method best = (sets ? small : table < sweep) ? by_table : Method::sweep;
    const double cost = sets ? 4.0 * rows + 2.0 * (roots_f * G + roots_g * F) : std::min(table, sweep);
    return {f == g ? Method::same : best, cost};
}

using FeaturePair = std::pair<std::size_t, std::size_t>;

// The pairs of features that can be split, one of them wanted, by their numbers: there may be too many for a list.
class Pairs {
    std::vector<std::size_t> feature_;  // the wanted ones first
    std::vector<std::size_t> start_;    // of each wanted one, the pairs with itself and with those after it

  public:
    Pairs(const Layout& layout, const std::vector<std::uint8_t>& wanted) : start_(1, 0) {
        for (const bool first : {true, false})
            for (std::size_t f = 0; f < layout.features(); ++f)
                if (layout[f].splits() && (wanted[f] != 0) == first) feature_.push_back(f);
        for (std::size_t at = 0; at < feature_.size() && wanted[feature_[at]]; ++at)
            start_.push_back(start_.back() + feature_.size() - at);
    }
    std::size_t size() const { return start_.back(); }
    std::vector<std::size_t> wanted() const { return {feature_.begin(), feature_.begin() + (start_.size() - 1)}; }

    FeaturePair operator[](std::size_t number) const {
        const std::size_t at = std::upper_bound(start_.begin(), start_.end(), number) - start_.begin() - 1;
        return std::minmax<std::size_t>({feature_[at], feature_[at + number - start_[at]]});
    }
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
    LaneBuffer lanes{};
};

class Survey {
    const Rows& rows_;
    const FixedPoint& fixed_;
    Orders orders_;

  public:
    Survey(const Rows& rows, const FixedPoint& fixed) : rows_(rows), fixed_(fixed), orders_(rows) {}

    Plan plan(std::size_t f, std::size_t g) const {
        return plan_of(rows_.layout, static_cast<double>(rows_.size()), !fixed_.weight.empty(), f, g);
    }

    void look_at(std::size_t f, std::size_t g, Workspace& space) {
        const Method method = plan(f, g).method;
        if (method == Method::same) {
            scan_same(rows_.layout, f, histogram(rows_, f, signed_weight), space.children);
        } else if (method == Method::lanes) {
            fill_lanes(rows_, fixed_, f, g, space.lanes);
            scan_lanes(rows_.layout, fixed_, f, g, space.lanes, space.children);
        } else if (method == Method::table) {
            look_at_tables({{f, g}}, space);
        } else {
            sweep(rows_, f, g, orders_[f], orders_[g], space.children);
        }
    }

    // The pairs from one number on, as many as tables are filled at once.
    void look_at(const Pairs& pairs, std::size_t begin, Workspace& space) {
        std::vector<FeaturePair> by_table;
        for (std::size_t number = begin; number < std::min(begin + tables_at_once, pairs.size()); ++number) {
            const auto [f, g] = pairs[number];
            if (plan(f, g).method == Method::table)
                by_table.push_back({f, g});
            else
                look_at(f, g, space);
        }
        look_at_tables(by_table, space);
    }

    void look_at_tables(const std::vector<FeaturePair>& pairs, Workspace& space) {
        std::array<TablePair, tables_at_once> filled;
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto [f, g] = pairs[k];
            space.tables[k].assign(table_size(rows_.layout, f, g), 0.0);
            filled[k] = {f, g, space.tables[k].data()};
        }
        if (pairs.size() == tables_at_once)
            fill_tables(rows_, filled.data());
        else
            for (std::size_t k = 0; k < pairs.size(); ++k) fill_table(rows_, filled[k].f, filled[k].g, filled[k].cell);
        for (std::size_t k = 0; k < pairs.size(); ++k)
            scan_table(rows_.layout, filled[k].f, filled[k].g, space.tables[k], space.children);
    }

    // As many threads as all pairs are worth.
    int workers(const Pairs& pairs, int threads) const {
        double cost = 0.0;
        int worth = 1;
        for (std::size_t number = 0; number < pairs.size() && worth < threads; ++number) {
            const auto [f, g] = pairs[number];
            worth = threads_worth(cost += plan(f, g).cost, threads);
        }
        return worth;
    }
};

}  // namespace

Children survey(const Rows& rows, const FixedPoint& fixed, const std::vector<std::uint8_t>& wanted, int threads,
                Stop& stop) {
    const Pairs pairs(rows.layout, wanted);
    Survey all(rows, fixed);
    const int workers = all.workers(pairs, threads);
    std::vector<Workspace> spaces(static_cast<std::size_t>(workers), Workspace{Children(rows.layout.size())});
    const auto look = [&](std::size_t task, std::size_t worker) {
        all.look_at(pairs, task * tables_at_once, spaces[worker]);
    };
    parallel_for((pairs.size() + tables_at_once - 1) / tables_at_once, workers, look, stop);
    if (stop.said())  // every root needs children, those on its own feature if no others
        for (std::size_t f : pairs.wanted()) all.look_at(f, f, spaces[0]);
    for (std::size_t worker = 1; worker < spaces.size(); ++worker) spaces[0].children.merge(spaces[worker].children);
    return std::move(spaces[0].children);
}

}  // namespace frankboost
