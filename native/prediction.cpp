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

// left = left where the code is in the split's left half, else right: a pass without branches.
template <class Code, class Value>
FRANKBOOST_INLINE void select_values(const Code* __restrict codes, Code last_bin, bool missing_left, Code missing,
                                     std::size_t count, Value* __restrict left, const Value* __restrict right) {
    // Bits instead of a choice, which compilers turn into branches.
    auto blend = [&](std::size_t i, bool goes_left) {
        const auto mask = static_cast<Value>(-static_cast<Value>(goes_left));
        left[i] = static_cast<Value>((left[i] & mask) | (right[i] & ~mask));
    };
    if (missing_left)
        for (std::size_t i = 0; i < count; ++i) blend(i, (codes[i] <= last_bin) | (codes[i] == missing));
    else
        for (std::size_t i = 0; i < count; ++i) blend(i, codes[i] <= last_bin);
}

// A template has no vectorised copies of its own.
#define FRANKBOOST_SELECT(Code, Value)                                                                                \
    FRANKBOOST_VECTORISED_BYTES void select_left(const Code* codes, Code last_bin, bool missing_left, Code missing,   \
                                                 std::size_t count, Value* left, const Value* right) {                \
        select_values(codes, last_bin, missing_left, missing, count, left, right);                                    \
    }
FRANKBOOST_SELECT(std::uint8_t, std::int8_t)
FRANKBOOST_SELECT(std::int32_t, std::int8_t)
FRANKBOOST_SELECT(std::uint8_t, std::int32_t)
FRANKBOOST_SELECT(std::int32_t, std::int32_t)
#undef FRANKBOOST_SELECT

constexpr std::size_t vote_block = 4096;

// What the subtree at a node says of rows begin .. begin + count, from the leaves up; leaf(node) is what a leaf says.
// Every node is visited: for the few levels of a boosted tree that is cheaper than a walk for each row.
template <class Code, class Value, class Leaf>
void evaluate(const Features<Code>& data, const BinnedForest& forest, std::int64_t root, std::int64_t node,
              std::size_t begin, std::size_t count, Value* out, const Leaf& leaf) {
    const std::int32_t feature = forest.feature[node];
    if (feature < 0) {
        std::fill_n(out, count, leaf(node));
        return;
    }
    Value right[vote_block];
    evaluate(data, forest, root, root + forest.left[node], begin, count, out, leaf);
    evaluate(data, forest, root, root + forest.right[node], begin, count, right, leaf);
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
        evaluate(data, forest, forest.roots[tree], forest.roots[tree], begin, count, votes + tree * data.rows + begin,
                 [&](std::int64_t node) { return forest.value[node]; });
    });
}

template <class Code>
void leaf_sums(const Features<Code>& data, const BinnedForest& forest, const double* u, double* sums, int threads) {
    const int workers = threads_worth(1.5 * static_cast<double>(data.rows * forest.trees), threads);
    parallel_for(forest.trees, workers, [&](std::size_t tree, std::size_t) {
        const std::int64_t root = forest.roots[tree];
        std::int32_t reached[vote_block];
        for (std::size_t begin = 0; begin < data.rows; begin += vote_block) {
            const std::size_t count = std::min(vote_block, data.rows - begin);
            evaluate(data, forest, root, root, begin, count, reached,
                     [&](std::int64_t node) { return static_cast<std::int32_t>(node - root); });
            for (std::size_t i = 0; i < count; ++i) sums[root + reached[i]] += u[begin + i];
        }
    });
}

template void leaf_sums(const Features<std::uint8_t>&, const BinnedForest&, const double*, double*, int);
template void leaf_sums(const Features<std::int32_t>&, const BinnedForest&, const double*, double*, int);

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
