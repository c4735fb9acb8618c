// The vote of an ensemble of trees.
#include <cmath>

#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

FRANKBOOST_INLINE std::int8_t follow(const Forest& forest, std::int64_t root, const double* x) {
    std::int64_t node = root;
    while (forest.feature[node] >= 0) {
        const double value = x[forest.feature[node]];
        const bool left = std::isnan(value) ? forest.missing_left[node] != 0 : value <= forest.threshold[node];
        node = root + (left ? forest.left[node] : forest.right[node]);
    }
    return forest.value[node];
}

}  // namespace

void vote(const Forest& forest, const double* weights, const double* X, std::size_t rows, std::size_t features,
          double* votes, int threads) {
    constexpr std::size_t block = 256;  // rows that stay in cache while the trees pass over them
    const int workers = threads_worth(5.0 * static_cast<double>(rows * forest.trees), threads);
    parallel_for((rows + block - 1) / block, workers, [&](std::size_t task, std::size_t) {
        const std::size_t begin = task * block, end = std::min(begin + block, rows);
        std::fill(votes + begin, votes + end, 0.0);
        for (std::size_t t = 0; t < forest.trees; ++t)
            for (std::size_t i = begin; i < end; ++i)
                votes[i] += weights[t] * follow(forest, forest.roots[t], X + i * features);
    });
}

}  // namespace frankboost
