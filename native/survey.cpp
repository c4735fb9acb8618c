// For every pair of features there are two ways to get the extreme prefixes left and right of every root split: tables
// (pair_tables.cpp, in fixed point pair_lanes.cpp) and sweeps (pair_sweep.cpp). Both are exact, and the cheaper one is
// taken.
#include "survey.hpp"

#include <utility>

#include "pairs.hpp"

namespace frankboost {
namespace {

enum class Method { same, lanes, table, sweep };

struct Pair {
    std::size_t f, g;
    Method method;
};

// Which pairs are to be looked at, and how. Costs are in nanoseconds, rough but measured; only the choice between exact
// methods, and how many threads are worth starting, hang on them.
class Plan {
    const Layout& layout_;
    double rows_;

    bool small(std::size_t f, std::size_t g) const { return std::max(layout_[f].bins, layout_[g].bins) <= most_bins; }
    double bins(std::size_t f) const { return static_cast<double>(layout_[f].bins); }
    double roots(std::size_t f) const { return static_cast<double>(layout_[f].numbers * layout_[f].variants); }

    double table_cost(std::size_t f, std::size_t g) const {
        return small(f, g) ? 2.0 * rows_ + 0.5 * bins(f) * bins(g) : infinity;
    }
    double sweep_cost(std::size_t f, std::size_t g) const {
        return 2.0 * rows_ * (4.0 + 2.0 * (std::log2(bins(f)) + std::log2(bins(g))));
    }
    double category_cost(std::size_t f, std::size_t g) const {
        return 4.0 * rows_ + 2.0 * (roots(f) * bins(g) + roots(g) * bins(f));
    }
    Method method(std::size_t f, std::size_t g, bool fixed) const {
        if (f == g) return Method::same;
        const bool table = layout_.categorical(f, g) ? small(f, g) : table_cost(f, g) < sweep_cost(f, g);
        const bool lanes = fixed && !layout_.categorical(f, g) && !layout_[f].missing && !layout_[g].missing;
        return !table ? Method::sweep : lanes ? Method::lanes : Method::table;
    }

  public:
    std::vector<Pair> pairs;
    double cost = 0.0;

    Plan(const Layout& layout, std::size_t rows, bool fixed, const std::vector<std::uint8_t>& wanted)
        : layout_(layout), rows_(static_cast<double>(rows)) {
        for (std::size_t f = 0; f < layout.features(); ++f)
            for (std::size_t g = f; g < layout.features(); ++g) {
                if (!layout[f].splits() || !layout[g].splits() || !(wanted[f] || wanted[g])) continue;
                pairs.push_back({f, g, method(f, g, fixed)});
                cost += layout_.categorical(f, g) ? category_cost(f, g) : std::min(table_cost(f, g), sweep_cost(f, g));
            }
    }
};

// What a worker fills again and again.
struct Workspace {
    Children children;
    Table table{};
    LaneTable lanes{};
};

void look_at(const Pair& pair, const Rows& rows, const FixedPoint& fixed, const std::vector<Order>& orders,
             Workspace& space) {
    const auto [f, g, method] = pair;
    if (method == Method::same) {
        scan_same(rows.layout, f, histogram(rows, f, signed_weight), space.children);
    } else if (method == Method::lanes) {
        fill_lanes(rows, fixed, f, g, space.lanes);
        scan_lanes(rows.layout, fixed, f, g, space.lanes, space.children);
    } else if (method == Method::table) {
        fill_table(rows, f, g, space.table);
        scan_table(rows.layout, f, g, space.table, space.children);
    } else {
        sweep(rows, f, g, orders, space.children);
    }
}

}  // namespace

Children survey(const Rows& rows, const FixedPoint& fixed, const std::vector<std::uint8_t>& wanted, int threads) {
    const Plan plan(rows.layout, rows.size(), !fixed.weight.empty(), wanted);
    std::vector<Order> orders(rows.features());
    for (const Pair& pair : plan.pairs)
        for (std::size_t f : {pair.f, pair.g})
            if (pair.method == Method::sweep && orders[f].start.empty()) orders[f] = sort_rows(rows, f);
    const int workers = threads_worth(plan.cost, threads);
    std::vector<Workspace> spaces(static_cast<std::size_t>(workers), Workspace{Children(rows.layout.size())});
    parallel_for(plan.pairs.size(), workers, [&](std::size_t task, std::size_t worker) {
        look_at(plan.pairs[task], rows, fixed, orders, spaces[worker]);
    });
    for (std::size_t worker = 1; worker < spaces.size(); ++worker) spaces[0].children.merge(spaces[worker].children);
    return std::move(spaces[0].children);
}

}  // namespace frankboost
