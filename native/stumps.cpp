// Computes the best stump of each feature, from one histogram per feature. Reference: best_edge of tests/reference.py
// at depth 1, by brute force.
#include <numeric>

#include "growing.hpp"
#include "table_survey.hpp"

namespace frankboost {
namespace {

// The best stump of a feature, or a leaf of value -1 if a stopped search has not reached the feature.
struct FeatureStump {
    Stump stump{};
    double value = -1.0;
};

std::vector<FeatureStump> search_stumps(const Rows& rows, int threads, Stop& stop) {
    std::vector<FeatureStump> best(rows.features());
    const auto masses = [&](std::size_t f) { return histogram(rows, f, mass); };
    const int workers = threads_worth(1.5 * static_cast<double>(rows.size() * rows.features()), threads);
    const auto look = [&](std::size_t f, std::size_t) {
        const Stump stump = best_stump(rows.layout, f, histogram(rows, f, signed_weight), masses);
        best[f] = {stump, stump.pay()};
    };
    parallel_for(rows.features(), workers, look, stop);
    return best;
}

Trees trees_of(std::vector<FeatureStump> found, double sum, std::size_t columns) {
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    found.resize(std::min(columns, found.size()));
    std::vector<Growing> trees(found.size(), Growing(sum));
    for (std::size_t t = 0; t < trees.size(); ++t) trees[t].split(0, found[t].stump);
    return flat(trees);
}

}  // namespace

Trees stump_trees(const Features& data, const double* u, std::size_t columns, int threads, Stop& stop) {
    const Rows rows(data, u);
    return trees_of(search_stumps(rows, threads, stop), std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0),
                    columns);
}

Trees stump_trees(const Layout& layout, const double* sums, const double* masses, std::size_t columns) {
    std::vector<FeatureStump> best;
    double total = 0.0;
    for (std::size_t f = 0; f < layout.features(); ++f) {
        const std::size_t cells = layout[f].bins + 1;
        const std::vector<double> by_bin(sums, sums + cells);
        if (f == 0) total = std::accumulate(by_bin.begin(), by_bin.end(), 0.0);
        const auto mass = [&](std::size_t) { return std::vector<double>(masses, masses + cells); };
        const Stump stump = best_stump(layout, f, by_bin, mass);
        best.push_back({stump, stump.pay()});
        sums += cells;
        masses += cells;
    }
    return trees_of(std::move(best), total, columns);
}

}  // namespace frankboost
