// Searches pairs of features, each by the cheapest of the exact methods: tables (pair_tables.cpp, in fixed point
// pair_lanes.cpp, of nearly constant features rare_pairs.cpp) or sweeps (pair_sweep.cpp). Each finds the extreme prefix
// sums left and right of every root split. Reference: best_edge of tests/reference.py, and agreement of the methods in
// tests/test_native.py.
#include "pair_survey.hpp"

namespace frankboost {

Plan PairSurvey::plan(std::size_t f, std::size_t g) const {
    const Layout& layout = rows_.layout;
    const double rows = static_cast<double>(rows_.size());
    const bool fixed = !fixed_.weight.empty();
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
    if (best != Method::sweep && rare_ != nullptr && rare_->serves(f, g)) return {Method::rare, 200.0};
    const double cost = sets ? 4.0 * rows + 2.0 * (roots_f * G + roots_g * F) : std::min(table, sweep);
    return {f == g ? Method::same : best, cost};
}

void PairSurvey::search(std::size_t f, std::size_t g, Workspace& space) {
    const Method method = plan(f, g).method;
    if (method == Method::same) {
        scan_same(rows_.layout, f, histogram(rows_, f, signed_weight), space.children);
    } else if (method == Method::lanes) {
        fill_lanes(rows_, fixed_, f, g, space.lanes);
        PairBounds most = empty_bounds(rows_.layout, f, g);
        scan_lanes(rows_.layout, fixed_, f, g, space.lanes, most, space.children);
        if (space.children.postpones) postpone(rows_.layout, f, g, most, space.children);
    } else if (method == Method::rare) {
        search_rare_tables(f, g, space);
    } else if (method == Method::table) {
        search_tables({{f, g}}, space);
    } else {
        sweep(rows_, f, g, orders_[f], orders_[g], space.children);
    }
}

void PairSurvey::search(const std::vector<FeaturePair>& pairs, Workspace& space) {
    std::vector<FeaturePair> by_table;
    for (const auto& [f, g] : pairs) {
        if (plan(f, g).method == Method::table)
            by_table.push_back({f, g});
        else
            search(f, g, space);
    }
    search_tables(by_table, space);
}

void PairSurvey::search_rare_tables(std::size_t f, std::size_t g, Workspace& space) const {
    const Layout& layout = rows_.layout;
    if (layout[f].is_two() && layout[g].is_two() &&
        !layout.signs(f, g)) {  // the most frequent case, for which a table would take longer
        std::array<double, 9> cell{};
        rare_->fill(f, g, cell.data());
        const double a = cell[0], b = cell[1], c = cell[3], d = cell[4];
        space.children.offer(layout.place({f, 0, 0}), g, stump_value(a, a, a + b, 0.0), stump_value(c, c, c + d, 0.0));
        space.children.offer(layout.place({g, 0, 0}), f, stump_value(a, a, a + c, 0.0), stump_value(b, b, b + d, 0.0));
        return;
    }
    space.tables[0].assign(table_size(rows_.layout, f, g), 0.0);
    rare_->fill(f, g, space.tables[0].data());
    scan_table(rows_.layout, f, g, space.tables[0], space.children);
}

void PairSurvey::search_tables(const std::vector<FeaturePair>& pairs, Workspace& space) const {
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

void PairSurvey::search_postponed(const Children::PostponedPair& pair, Workspace& space) const {
    const auto [f, g, most] = pair;
    Table& table = space.tables[0];
    table.assign(table_size(rows_.layout, f, g), 0.0);
    fill_table(rows_, f, g, table.data());
    sum_table(rows_.layout, f, g, table);
    PairBounds all = empty_bounds(rows_.layout, f, g);
    for (auto& each : all) std::fill(each.begin(), each.end(), most);
    scan_ordered(rows_.layout, f, g, table, all, space.children);
}

}  // namespace frankboost
