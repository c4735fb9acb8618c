// The best stumps, one for each feature.
#include <numeric>

#include "growing.hpp"

namespace frankboost {
namespace {

// A feature that the search has not looked at has a stump of no feature, which pays less than any other.
struct Found {
    Stump stump{};
    double value = -1.0;
};

std::vector<Found> search_stumps(const Rows& rows, int threads, Stop& stop) {
    std::vector<Found> best(rows.features());
    const auto masses = [&](std::size_t f) { return histogram(rows, f, mass); };
    const int workers = threads_worth(1.5 * static_cast<double>(rows.size() * rows.features()), threads);
    const auto look = [&](std::size_t f, std::size_t) {
        const Stump stump = best_stump(rows.layout, f, histogram(rows, f, signed_weight), masses);
        best[f] = {stump, stump.pay()};
    };
    parallel_for(rows.features(), workers, look, stop);
    return best;
}

}  // namespace

std::vector<BestSplit> best_stumps(const Features& data, const double* u, int threads, Stop& stop) {
    std::vector<BestSplit> best;
    for (const Found& found : search_stumps(Rows(data, u), threads, stop))
        best.push_back({found.stump.split, found.value});
    return best;
}

Trees stump_trees(const Features& data, const double* u, std::size_t columns, int threads, Stop& stop) {
    const Rows rows(data, u);
    std::vector<Found> found = search_stumps(rows, threads, stop);
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    found.resize(std::min(columns, found.size()));
    const double sum = std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0);
    std::vector<Growing> trees(found.size(), Growing(sum));
    for (std::size_t t = 0; t < trees.size(); ++t) trees[t].split(0, found[t].stump);
    return flat(trees);
}

}  // namespace frankboost
