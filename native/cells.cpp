#include "cells.hpp"

#include <numeric>

namespace frankboost {
namespace {

// Additions to the same cell wait for each other, so rows add to several tables in turn where cells are few.
constexpr std::size_t few_cells = 64, in_turn = 4;

// The arrays of cells in tables, which a base class may point into.
struct Arrays {
    std::vector<double> sums, tables;
};

class OwnedCells : Arrays, public CellsInTables {
  public:
    OwnedCells(const Layout& layout_, Arrays arrays)
        : Arrays(std::move(arrays)), CellsInTables(layout_, sums.data(), tables.data()) {}
};

}  // namespace

MergedBins::MergedBins(const Layout& all, const std::vector<std::vector<std::int32_t>>& kept)
    : layout(all.same_mask()) {
    for (std::size_t f = 0; f < all.features(); ++f) {
        FeatureKind kind = all[f];
        std::vector<std::int32_t>& to = code.emplace_back(kind.bins + 1);
        std::vector<std::int32_t>& ends = last.emplace_back();
        for (std::size_t c = 0; c < kind.bins; ++c) {
            to[c] = static_cast<std::int32_t>(ends.size());
            const bool ends_here = std::binary_search(kept[f].begin(), kept[f].end(), static_cast<std::int32_t>(c));
            if (kind.categorical || ends_here || c + 1 == kind.bins) ends.push_back(static_cast<std::int32_t>(c));
        }
        kind.present = kind.present && ends.size() > 1 && ends[ends.size() - 2] + 1 == ends.back();
        kind.bins = ends.size();
        if (!kind.categorical) kind.numbers = kind.bins;
        to.back() = static_cast<std::int32_t>(kind.bins);
        layout.add(kind);
    }
}

bool MergedBins::merges() const {
    for (std::size_t f = 0; f < code.size(); ++f)
        if (last[f].size() + 1 < code[f].size()) return true;
    return false;
}

Trees MergedBins::restored(Trees trees) const {
    for (Node& node : trees.nodes)
        if (node.feature >= 0 && node.set_index < 0)
            node.last_bin = last[static_cast<std::size_t>(node.feature)][static_cast<std::size_t>(node.last_bin)];
    return trees;
}

double Cells::total() const {
    const std::vector<double> sums = by_bin(0);
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

void CellsOfRows::add(std::size_t f, std::size_t g, Amounts* const* to, double Amounts::* amount) const {
    const std::size_t width = layout[g].bins + 1, cells = table_size(layout, f, g);
    const auto add = [&](const auto* code_f, const auto* code_g) {
        for (std::size_t i = 0; i < rows_.size(); ++i) to[code_f[i]][code_g[i]].*amount += rows_.weight[i];
    };
    const auto add_to_few = [&](const auto* code_f, const auto* code_g) {
        std::array<double, in_turn * few_cells> sums{};
        for (std::size_t i = 0; i < rows_.size(); ++i)
            sums[i % in_turn * few_cells + code_f[i] * width + code_g[i]] += rows_.weight[i];
        for (std::size_t k = 0; k < cells; ++k)
            for (std::size_t turn = 0; turn < in_turn; ++turn)
                to[k / width][k % width].*amount += sums[turn * few_cells + k];
    };
    cells <= few_cells ? rows_.with_codes(add_to_few, f, g) : rows_.with_codes(add, f, g);
}

Children CellsOfRows::children(int threads, Stop& stop) const {
    return survey(rows_, FixedPoint{}, std::vector<std::uint8_t>(layout.features(), 1), threads, stop);
}

std::unique_ptr<Cells> CellsOfRows::merged(const MergedBins& bins) const {
    const std::size_t rows = rows_.size();
    const auto merge = [&](const auto* codes) -> std::unique_ptr<Cells> {
        using Code = std::decay_t<decltype(*codes)>;
        std::vector<Code> merged(layout.features() * rows);
        for (std::size_t f = 0; f < layout.features(); ++f)
            for (std::size_t i = f * rows; i < (f + 1) * rows; ++i)
                merged[i] = static_cast<Code>(bins.code[f][codes[i]]);
        return std::make_unique<CellsOfRows>(bins.layout, rows_.weight, std::move(merged));
    };
    return rows_.with_codes(merge, 0);
}

std::vector<double> CellsInTables::by_bin(std::size_t f) const {
    const double* begin = sums_;
    for (std::size_t k = 0; k < f; ++k) begin += layout[k].bins + 1;
    return std::vector<double>(begin, begin + layout[f].bins + 1);
}

void CellsInTables::add(std::size_t f, std::size_t g, Amounts* const* to, double Amounts::* amount) const {
    if (f == g) {
        const std::vector<double> sums = by_bin(f);
        for (std::size_t c = 0; c < sums.size(); ++c) to[c][c].*amount += sums[c];
        return;
    }
    const std::pair<std::size_t, std::size_t> wanted = std::minmax(f, g);
    const auto features = [](const TableOrder::Pair& pair) { return std::pair(pair.f, pair.g); };
    const auto before = [&](const TableOrder::Pair& pair, const auto& other) { return features(pair) < other; };
    const auto at = std::lower_bound(order_.pairs.begin(), order_.pairs.end(), wanted, before);
    if (tables_ == nullptr || at == order_.pairs.end() || features(*at) != wanted) return;
    const double* cell = tables_ + order_.start[static_cast<std::size_t>(at - order_.pairs.begin())];
    for (std::size_t a = 0; a <= layout[at->f].bins; ++a)
        for (std::size_t b = 0; b <= layout[at->g].bins; ++b, ++cell) {
            Amounts& sums = f < g ? to[a][b] : to[b][a];
            sums.*amount += *cell;
        }
}

Children CellsInTables::children(int threads, Stop&) const {
    TableSurvey survey(layout);
    survey.take_features(sums_, sums_);
    survey.take_pairs(0, survey.pairs(), tables_, threads);
    return survey.children();
}

double CellsInTables::cost() const {
    return static_cast<double>(order_.start.back()) /
           static_cast<double>(std::max<std::size_t>(order_.pairs.size(), 1));
}

std::unique_ptr<Cells> CellsInTables::merged(const MergedBins& bins) const {
    Arrays to;
    const double* from = sums_;
    for (std::size_t f = 0; f < layout.features(); ++f) {
        const std::size_t begin = to.sums.size();
        to.sums.resize(begin + bins.layout[f].bins + 1);
        for (const std::int32_t c : bins.code[f]) to.sums[begin + static_cast<std::size_t>(c)] += *from++;
    }
    if (tables_ != nullptr) {
        const TableOrder order(bins.layout);
        to.tables.resize(order.start.back());
        for (std::size_t k = 0, at = 0; k < order.pairs.size(); ++k) {
            const auto [f, g] = order.pairs[k];
            while (order_.pairs[at].f != f || order_.pairs[at].g != g) ++at;
            const double* cell = tables_ + order_.start[at];
            for (const std::int32_t a : bins.code[f]) {
                double* row =
                    to.tables.data() + order.start[k] + static_cast<std::size_t>(a) * (bins.layout[g].bins + 1);
                for (const std::int32_t b : bins.code[g]) row[b] += *cell++;
            }
        }
    }
    return std::make_unique<OwnedCells>(bins.layout, std::move(to));
}

}  // namespace frankboost
