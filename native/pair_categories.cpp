#include "pair_categories.hpp"

#include "pair_tables.hpp"

namespace frankboost {

ChildPays child_pays(const FeatureKind& child, const double* left, const double* added, const double* total) {
    double pays[2] = {0.0, 0.0};
    if (child.categorical) {
        for (std::size_t k = 0; k <= child.bins; ++k) {
            const double here = left[k] + added[k];
            pays[0] += std::fabs(here);
            pays[1] += std::fabs(total[k] - here);
        }
        return {pays[0], pays[1]};
    }
    double prefix[2] = {0.0, 0.0}, high[2] = {-infinity, -infinity}, low[2] = {infinity, infinity};
    for (std::size_t k = 0; k + 1 < child.bins; ++k) {
        const double here = left[k] + added[k], sums[2] = {here, total[k] - here};
        for (int side = 0; side < 2; ++side) {
            prefix[side] += sums[side];
            high[side] = std::max(high[side], prefix[side]);
            low[side] = std::min(low[side], prefix[side]);
        }
    }
    const std::size_t last = child.bins - 1;
    const double end = left[last] + added[last], absent = left[last + 1] + added[last + 1];
    return {stump_value(high[0], low[0], prefix[0] + end, absent),
            stump_value(high[1], low[1], prefix[1] + total[last] - end, total[last + 1] - absent)};
}

void scan_categories(const Layout& layout, std::size_t f, std::size_t g, const Table& table, Children& children) {
    const std::size_t height = layout[f].bins + 1, width = layout[g].bins + 1;
    auto along = [&](std::size_t bin, double* out) {
        const double* row = table.row(bin);
        for (std::size_t k = 0; k < width; ++k) out[k] += row[k];
    };
    auto down = [&](std::size_t bin, double* out) {
        const double* cell = table.row(0) + bin;
        for (std::size_t t = 0; t < height; ++t) out[t] += cell[t * table.stride];
    };
    offer_child(layout, f, g, along, children);
    offer_child(layout, g, f, down, children);
}

void scan_same_category(const Layout& layout, std::size_t f, const std::vector<double>& sums, Children& children) {
    auto alone = [&](std::size_t bin, double* out) { out[bin] += sums[bin]; };
    offer_child(layout, f, f, alone, children);
}

}  // namespace frankboost
