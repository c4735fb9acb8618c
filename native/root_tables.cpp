// Computes depth-2 trees in two halves, for rows in parts: each part fills tables from its rows, and the sum of the
// tables is searched for trees. Each half reads its input once. Reference: the search of all rows, in
// tests/test_native.py.
#include "order.hpp"
#include "table_survey.hpp"

#include <numeric>

namespace frankboost {

FeatureSums feature_sums(const Rows& rows, int threads) {
    const std::size_t features = rows.features();
    std::vector<std::vector<double>> sums(features), masses(features);
    const int workers = threads_worth(2.0 * static_cast<double>(rows.size() * features), threads);
    parallel_for(features, workers, [&](std::size_t f, std::size_t) {
        sums[f] = histogram(rows, f, signed_weight);
        masses[f] = rows.layout[f].categorical ? histogram(rows, f, mass) : std::vector<double>(sums[f].size(), 0.0);
    });
    FeatureSums all;
    for (std::size_t f = 0; f < features; ++f) {
        all.sums.insert(all.sums.end(), sums[f].begin(), sums[f].end());
        all.masses.insert(all.masses.end(), masses[f].begin(), masses[f].end());
    }
    return all;
}

std::vector<double> pair_tables(const Rows& rows, std::size_t begin, std::size_t end, int threads) {
    std::vector<double> tables(TableOrder(rows.layout).cells(begin, end), 0.0);
    add_pair_tables(rows, begin, end, tables.data(), threads);
    return tables;
}

void add_pair_tables(const Rows& rows, std::size_t begin, std::size_t end, double* tables, int threads) {
    const TableOrder order(rows.layout);
    const int workers = threads_worth(2.0 * static_cast<double>(rows.size() * (end - begin)), threads);
    parallel_for((end - begin + tables_at_once - 1) / tables_at_once, workers, [&](std::size_t task, std::size_t) {
        std::vector<TablePair> some;
        const std::size_t first = begin + task * tables_at_once;
        for (std::size_t k = first; k < std::min(first + tables_at_once, end); ++k)
            some.push_back({order.pairs[k].f, order.pairs[k].g, tables + order.cells(begin, k)});
        if (some.size() == tables_at_once) return fill_tables(rows, some.data());
        for (const auto& [f, g, cell] : some) fill_table(rows, f, g, cell);
    });
}

std::vector<double> side_sums(const Rows& rows, const std::vector<TableRoot>& roots, int threads) {
    std::vector<std::vector<double>> below(roots.size());
    const int workers = threads_worth(2.0 * static_cast<double>(rows.size() * roots.size()), threads);
    parallel_for(roots.size(), workers, [&](std::size_t k, std::size_t) {
        for (const auto& each : sides_of(rows, roots[k].split, roots[k].children))
            below[k].insert(below[k].end(), each.begin(), each.end());
    });
    std::vector<double> all;
    for (const auto& each : below) all.insert(all.end(), each.begin(), each.end());
    return all;
}

TableSurvey::TableSurvey(Layout layout) : layout_(std::move(layout)), order_(layout_), children_(layout_) {}

std::vector<std::int64_t> TableSurvey::pair_features() const {
    std::vector<std::int64_t> features;
    for (const auto& [f, g] : order_.pairs) features.insert(features.end(), {std::int64_t(f), std::int64_t(g)});
    return features;
}

std::size_t TableSurvey::feature_cells() const {
    std::size_t cells = 0;
    for (std::size_t f = 0; f < layout_.features(); ++f) cells += layout_[f].bins + 1;
    return cells;
}

void TableSurvey::take_features(const double* sums, const double* masses) {
    sums_.clear();
    masses_.clear();
    for (std::size_t f = 0; f < layout_.features(); ++f) {
        const std::size_t cells = layout_[f].bins + 1;
        const auto& by_bin = sums_.emplace_back(sums, sums + cells);
        if (f == 0) total_ = std::accumulate(by_bin.begin(), by_bin.end(), 0.0);
        if (layout_[f].splits()) scan_same(layout_, f, by_bin, children_);
        masses_.emplace_back(masses, masses + cells);
        sums += cells;
        masses += cells;
    }
    if (layout_.signs()) children_.raise_floor(0.0);
}

void TableSurvey::take_pairs(std::size_t begin, std::size_t end, const double* tables, int threads) {
    const auto workers =
        static_cast<std::size_t>(threads_worth(static_cast<double>(order_.cells(begin, end)), threads));
    // With signs each worker starts from what is known of leaves and of a tree, which rules out many children in order.
    std::vector<Children> children(workers, layout_.signs() ? children_ : Children(layout_));
    std::vector<Table> table(workers);
    parallel_for(end - begin, static_cast<int>(workers), [&](std::size_t task, std::size_t worker) {
        const auto& pair = order_.pairs[begin + task];
        const double* cells = tables + order_.cells(begin, begin + task);
        table[worker].assign(cells, cells + table_size(layout_, pair.f, pair.g));
        scan_table(layout_, pair.f, pair.g, table[worker], children[worker]);
    });
    for (const Children& each : children) children_.merge(each);
}

std::vector<std::int64_t> TableSurvey::root_starts() const {
    std::vector<std::int64_t> starts;
    for (std::size_t f = 0; f < layout_.features(); ++f) starts.push_back(static_cast<std::int64_t>(layout_.begin(f)));
    return starts;
}

void TableSurvey::take_children(const double* values, const std::int32_t* features, bool with_both) {
    const std::size_t size = layout_.size();
    for (std::size_t at = 0; at < size; ++at) {
        children_.left[at].offer({values[at], features[at]});
        children_.right[at].offer({values[size + at], features[size + at]});
        if (with_both) children_.offer_both(at, {values[2 * size + at], features[2 * size + at]});
    }
}

std::vector<TableRoot> TableSurvey::choose_roots(std::size_t columns) {
    columns_ = columns;
    roots_.clear();
    if (layout_.signs()) children_.raise_floor(0.0);
    const auto sums = [&](std::size_t f) { return sums_[f]; };
    for (const BestRoot& root : best_roots(layout_, children_, columns, sums))
        roots_.push_back({split_of(layout_, root.root, [&](std::size_t f) { return masses_[f]; }),
                          child_features(children_, layout_.place(root.root))});
    return roots_;
}

std::size_t TableSurvey::side_cells() const {
    std::size_t cells = 0;
    for (const TableRoot& root : roots_)
        for (const std::size_t g : root.children) cells += 2 * (layout_[g].bins + 1);
    return cells;
}

TwoLevels TableSurvey::ordered_tree_below(const TableRoot& root, const TwoLevels& best,
                                          const std::array<std::vector<double>, 2>& sums) const {
    const auto f = static_cast<std::size_t>(root.split.node.feature);
    const std::size_t g = root.children[0];
    if (g != root.children[1] || g == f) return ordered_tree(layout_, best, nullptr, sums_[f].back());
    const auto both = ordered_stumps(layout_, g, layout_[f].sign, sums);
    return ordered_tree(layout_, best, &both, sums_[f].back());
}

Trees TableSurvey::trees(const double* sides) const {
    std::vector<TwoLevels> grown;
    for (const TableRoot& root : roots_) {
        std::array<std::vector<double>, 4> each;  // as sides_of returns them
        for (std::size_t k = 0; k < each.size(); ++k) {
            const std::size_t cells = layout_[root.children[k % 2]].bins + 1;
            each[k].assign(sides, sides + cells);
            sides += cells;
        }
        const auto stump = [&](std::size_t side) {
            const auto masses = [&](std::size_t) { return each[2 + side]; };
            return best_stump(layout_, root.children[side], each[side], masses, root.split, side);
        };
        const TwoLevels best{root.split, stump(1), stump(0)};
        grown.push_back(layout_.ordered(root.split.node) ? ordered_tree_below(root, best, {each[0], each[1]}) : best);
    }
    return best_first(grown, total_, columns_, layout_);
}

}  // namespace frankboost
