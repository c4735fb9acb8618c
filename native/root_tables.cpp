// The search for roots in two halves: tables filled from rows, and roots found in tables. Where the rows are apart,
// each part fills its own, and their sum is searched.
#include "survey.hpp"

namespace frankboost {
namespace {

// Where the tables lie in one array: for each feature the sums and the masses by bin, then for each pair of features
// the sums by the bins of both.
struct TableOrder {
    struct Pair {
        std::size_t f, g, begin, end;
    };
    std::vector<std::size_t> sums, masses;
    std::vector<Pair> pairs;
    std::size_t size = 0;

    explicit TableOrder(const Layout& layout) {
        for (std::size_t f = 0; f < layout.features(); ++f) {
            sums.push_back(size);
            masses.push_back(size + layout[f].bins + 1);
            size += 2 * (layout[f].bins + 1);
        }
        for (std::size_t f = 0; f < layout.features(); ++f)
            for (std::size_t g = f + 1; g < layout.features(); ++g)
                if (layout[f].splits() && layout[g].splits()) {
                    pairs.push_back({f, g, size, size + table_size(layout, f, g)});
                    size = pairs.back().end;
                }
    }
};

}  // namespace

std::vector<double> root_tables(const Features& data, const double* u, int threads) {
    const Rows rows(data, u);
    const TableOrder order(rows.layout);
    std::vector<double> tables(order.size, 0.0);
    for (std::size_t f = 0; f < data.features; ++f) {
        const auto sums = histogram(rows, f, signed_weight), masses = histogram(rows, f, mass);
        std::copy(sums.begin(), sums.end(), tables.data() + order.sums[f]);
        std::copy(masses.begin(), masses.end(), tables.data() + order.masses[f]);
    }
    const int workers = threads_worth(2.0 * static_cast<double>(rows.size() * order.pairs.size()), threads);
    parallel_for(order.pairs.size(), workers, [&](std::size_t task, std::size_t) {
        const auto& pair = order.pairs[task];
        fill_table(rows, pair.f, pair.g, tables.data() + pair.begin);
    });
    return tables;
}

std::size_t count_cells(const Features& data) { return TableOrder(Layout(data)).size; }

std::vector<BestSplit> best_roots_of(const Features& data, const double* tables, int threads) {
    const Layout layout(data);
    const TableOrder order(layout);
    const auto workers = static_cast<std::size_t>(threads_worth(static_cast<double>(order.size), threads));
    std::vector<Children> children(workers, Children(layout.size()));
    std::vector<Table> table(workers);
    parallel_for(order.pairs.size(), static_cast<int>(workers), [&](std::size_t task, std::size_t worker) {
        const auto& [f, g, begin, end] = order.pairs[task];
        table[worker].assign(tables + begin, tables + end);
        scan_table(layout, f, g, table[worker], children[worker]);
    });
    for (std::size_t worker = 1; worker < workers; ++worker) children[0].merge(children[worker]);
    const auto by_bin = [&](std::size_t f, std::size_t begin) {
        return std::vector<double>(tables + begin, tables + begin + layout[f].bins + 1);
    };
    for (std::size_t f = 0; f < layout.features(); ++f)
        if (layout[f].splits()) scan_same(layout, f, by_bin(f, order.sums[f]), children[0]);
    const auto masses = [&](std::size_t f) { return by_bin(f, order.masses[f]); };
    return best_splits(layout, children[0], masses);
}

}  // namespace frankboost
