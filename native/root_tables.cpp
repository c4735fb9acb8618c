// The search for roots in two halves: tables filled from rows, and roots found in tables. Where the rows are apart,
// each part fills its own, and their sum is searched.
#include "pairs.hpp"
#include "survey.hpp"

namespace frankboost {
namespace {

// Where the tables lie in one array: for each feature the sums and the masses by bin, then for each pair of features
// the sums by the bins of both.
class TableOrder {
    const Layout& layout_;
    std::vector<std::size_t> single_;

    std::size_t width(std::size_t f) const { return layout_[f].bins + 1; }

  public:
    struct Pair {
        std::size_t f, g, begin;
    };
    std::vector<Pair> pairs;
    std::size_t size = 0;

    explicit TableOrder(const Layout& layout) : layout_(layout) {
        for (std::size_t f = 0; f < layout.features(); ++f) {
            single_.push_back(size);
            size += 2 * width(f);
        }
        for (std::size_t f = 0; f < layout.features(); ++f)
            for (std::size_t g = f + 1; g < layout.features(); ++g) {
                if (!layout[f].splits() || !layout[g].splits()) continue;
                pairs.push_back({f, g, size});
                size += width(f) * width(g);
            }
    }
    std::size_t sums(std::size_t f) const { return single_[f]; }
    std::size_t masses(std::size_t f) const { return single_[f] + width(f); }
    std::vector<double> by_bin(std::size_t f, const double* begin) const { return {begin, begin + width(f)}; }

    void put(const Pair& pair, const Table& table, double* tables) const {
        for (std::size_t t = 0; t < width(pair.f); ++t)
            std::copy_n(table.row(t), width(pair.g), tables + pair.begin + t * width(pair.g));
    }
    void take(const Pair& pair, const double* tables, Table& table) const {
        table.shape(layout_[pair.f].bins, layout_[pair.g].bins);
        for (std::size_t t = 0; t < width(pair.f); ++t)
            std::copy_n(tables + pair.begin + t * width(pair.g), width(pair.g), table.row(t));
    }
};

template <class Amount>
void put_histogram(const Rows& rows, std::size_t f, Amount amount, double* out) {
    const auto sums = histogram(rows, f, amount);
    std::copy(sums.begin(), sums.end(), out);
}

}  // namespace

std::vector<double> root_tables(const Features& data, const double* u, int threads) {
    const Rows rows(data, u);
    const TableOrder order(rows.layout);
    std::vector<double> tables(order.size, 0.0);
    for (std::size_t f = 0; f < data.features; ++f) {
        put_histogram(rows, f, signed_weight, tables.data() + order.sums(f));
        put_histogram(rows, f, mass, tables.data() + order.masses(f));
    }
    const int workers = threads_worth(2.0 * static_cast<double>(rows.size() * order.pairs.size()), threads);
    std::vector<Table> table(static_cast<std::size_t>(workers));
    parallel_for(order.pairs.size(), workers, [&](std::size_t task, std::size_t worker) {
        const auto& pair = order.pairs[task];
        fill_table(rows, pair.f, pair.g, table[worker]);
        order.put(pair, table[worker], tables.data());
    });
    return tables;
}

std::size_t count_cells(const Features& data) {
    const Layout layout(data);
    return TableOrder(layout).size;
}

std::vector<BestSplit> best_roots_of(const Features& data, const double* tables, int threads) {
    const Layout layout(data);
    const TableOrder order(layout);
    const auto workers = static_cast<std::size_t>(threads_worth(static_cast<double>(order.size), threads));
    std::vector<Children> children(workers, Children(layout.size()));
    std::vector<Table> table(workers);
    parallel_for(order.pairs.size(), static_cast<int>(workers), [&](std::size_t task, std::size_t worker) {
        const auto& pair = order.pairs[task];
        order.take(pair, tables, table[worker]);
        scan_table(layout, pair.f, pair.g, table[worker], children[worker]);
    });
    for (std::size_t worker = 1; worker < workers; ++worker) children[0].merge(children[worker]);
    for (std::size_t f = 0; f < layout.features(); ++f)
        if (layout[f].splits()) scan_same(layout, f, order.by_bin(f, tables + order.sums(f)), children[0]);
    const auto masses = [&](std::size_t f) { return order.by_bin(f, tables + order.masses(f)); };
    return splits_of(layout, best_of_each(layout, children[0]), masses);
}

}  // namespace frankboost
