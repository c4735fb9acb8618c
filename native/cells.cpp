#include "cells.hpp"

#include <numeric>

namespace frankboost {

double Cells::total() const {
    const std::vector<double> sums = by_bin(0);
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

void CellsOfRows::add(std::size_t f, std::size_t g, Amounts* const* to, double Amounts::* amount) const {
    const auto add = [&](const auto* code_f, const auto* code_g) {
        for (std::size_t i = 0; i < rows_.size(); ++i) to[code_f[i]][code_g[i]].*amount += rows_.weight[i];
    };
    rows_.with_codes(add, f, g);
}

Children CellsOfRows::children(int threads, Stop& stop) const {
    return survey(rows_, FixedPoint{}, std::vector<std::uint8_t>(layout.features(), 1), threads, stop);
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
    TableSurvey survey(data_);
    survey.take_features(sums_, sums_);
    survey.take_pairs(0, survey.pairs(), tables_, threads);
    return survey.children();
}

double CellsInTables::cost() const {
    return static_cast<double>(order_.start.back()) /
           static_cast<double>(std::max<std::size_t>(order_.pairs.size(), 1));
}

}  // namespace frankboost
