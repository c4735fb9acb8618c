// For every pair of features there are two ways to get the extreme prefixes left and right of every root split: tables
// (pair_tables.cpp, in fixed point pair_lanes.cpp) and sweeps (pair_sweep.cpp). Both are exact, and the cheaper one is
// taken.
#include "survey.hpp"

#include <utility>

namespace frankboost {
namespace {

enum class Method { same, lanes, table, sweep };

struct Pair {
    std::size_t f, g;
    Method method;
};

// Which pairs are to be looked at, and how, and what that costs in nanoseconds. Costs are rough but measured; only the
// choice between exact methods, and how many threads are worth starting, hang on them.
struct Plan {
    std::vector<Pair> pairs;
    double cost = 0.0;
};

void add_pair(const Layout& layout, double rows, bool fixed, std::size_t f, std::size_t g, Plan& plan) {
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
    plan.pairs.push_back({f, g, f == g ? Method::same : best});
    plan.cost += sets ? 4.0 * rows + 2.0 * (roots_f * G + roots_g * F) : std::min(table, sweep);
}

// What a worker fills again and again.
struct Workspace {
    Children children;
    Table table{};
    LaneBuffer lanes{};
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
        space.table.assign(table_size(rows.layout, f, g), 0.0);
        fill_table(rows, f, g, space.table.data());
        scan_table(rows.layout, f, g, space.table, space.children);
    } else {
        sweep(rows, f, g, orders, space.children);
    }
}

}  // namespace

Children survey(const Rows& rows, const FixedPoint& fixed, const std::vector<std::uint8_t>& wanted, int threads) {
    const Layout& layout = rows.layout;
    Plan plan;
    for (std::size_t f = 0; f < layout.features(); ++f)
        for (std::size_t g = f; g < layout.features(); ++g)
            if (layout[f].splits() && layout[g].splits() && (wanted[f] || wanted[g]))
                add_pair(layout, static_cast<double>(rows.size()), !fixed.weight.empty(), f, g, plan);
    std::vector<Order> orders(rows.features());
    for (const Pair& pair : plan.pairs)
        for (std::size_t f : {pair.f, pair.g})
            if (pair.method == Method::sweep && orders[f].start.empty()) orders[f] = sort_rows(rows, f);
    const int workers = threads_worth(plan.cost, threads);
    std::vector<Workspace> spaces(static_cast<std::size_t>(workers), Workspace{Children(layout.size())});
    parallel_for(plan.pairs.size(), workers, [&](std::size_t task, std::size_t worker) {
        look_at(plan.pairs[task], rows, fixed, orders, spaces[worker]);
    });
    for (std::size_t worker = 1; worker < spaces.size(); ++worker) spaces[0].children.merge(spaces[worker].children);
    return std::move(spaces[0].children);
}

}  // namespace frankboost
