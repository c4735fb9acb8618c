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

// out = left where the code is in the split's left half, else right: a pass without branches.
template <class Code>
FRANKBOOST_INLINE void select_values(const Code* codes, Code last_bin, bool missing_left, Code missing,
                                     std::size_t count, std::int8_t* left, const std::int8_t* right) {
    if (missing_left) {
        for (std::size_t i = 0; i < count; ++i)
            left[i] = ((codes[i] <= last_bin) | (codes[i] == missing)) ? left[i] : right[i];
    } else {
        for (std::size_t i = 0; i < count; ++i) left[i] = codes[i] <= last_bin ? left[i] : right[i];
    }
}

FRANKBOOST_VECTORISED void select_left(const std::uint8_t* codes, std::uint8_t last_bin, bool missing_left,
                                       std::uint8_t missing, std::size_t count, std::int8_t* left,
                                       const std::int8_t* right) {
    select_values(codes, last_bin, missing_left, missing, count, left, right);
}
FRANKBOOST_VECTORISED void select_left(const std::int32_t* codes, std::int32_t last_bin, bool missing_left,
                                       std::int32_t missing, std::size_t count, std::int8_t* left,
                                       const std::int8_t* right) {
    select_values(codes, last_bin, missing_left, missing, count, left, right);
}

constexpr std::size_t vote_block = 4096;

// What the subtree at a node says of rows begin .. begin + count, from the leaves up. Every node is visited: for the few
// levels of a boosted tree that is cheaper than a walk for each row.
template <class Code>
void subtree_votes(const Features<Code>& data, const BinnedForest& forest, std::int64_t root, std::int64_t node,
                   std::size_t begin, std::size_t count, std::int8_t* out) {
    const std::int32_t feature = forest.feature[node];
    if (feature < 0) {
        std::fill_n(out, count, forest.value[node]);
        return;
    }
    std::int8_t right[vote_block];
    subtree_votes(data, forest, root, root + forest.left[node], begin, count, out);
    subtree_votes(data, forest, root, root + forest.right[node], begin, count, right);
    const bool missing_left = data.missing[feature] != 0 && forest.missing_left[node] != 0;
    select_left(data.codes + static_cast<std::size_t>(feature) * data.rows + begin,
                static_cast<Code>(forest.last_bin[node]), missing_left, static_cast<Code>(data.bins[feature]), count, out,
                right);
}

}  // namespace

template <class Code>
void binned_votes(const Features<Code>& data, const BinnedForest& forest, std::int8_t* votes, int threads) {
    const std::size_t blocks = (data.rows + vote_block - 1) / vote_block;
    const int workers = threads_worth(0.5 * static_cast<double>(data.rows * forest.trees), threads);
    parallel_for(blocks * forest.trees, workers, [&](std::size_t task, std::size_t) {
        const std::size_t tree = task / blocks, begin = task % blocks * vote_block;
        const std::size_t count = std::min(vote_block, data.rows - begin);
        subtree_votes(data, forest, forest.roots[tree], forest.roots[tree], begin, count,
                      votes + tree * data.rows + begin);
    });
}

template void binned_votes(const Features<std::uint8_t>&, const BinnedForest&, std::int8_t*, int);
template void binned_votes(const Features<std::int32_t>&, const BinnedForest&, std::int8_t*, int);

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
