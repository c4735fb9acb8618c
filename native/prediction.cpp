// The vote of an ensemble of trees.
#include <cmath>
#include <vector>

#include "category_search.hpp"
#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

// Whether a value is a category of a set; one that is no category at all is as good as missing.
FRANKBOOST_INLINE bool in_set(double value, const std::uint64_t* set, bool missing_left) {
    if (!(value >= 0.0 && value <= most_categories)) return missing_left;
    const auto category = static_cast<unsigned>(value);
    return category == value ? set[category / 64] >> (category % 64) & 1 : missing_left;
}

FRANKBOOST_INLINE bool splits_categories(const Forest& forest, std::int64_t node) {
    return std::isnan(forest.threshold[node]);
}

FRANKBOOST_INLINE bool goes_left(const Forest& forest, std::int64_t node, double value) {
    const bool missing_left = forest.missing_left[node] != 0;
    if (splits_categories(forest, node)) return in_set(value, forest.subset + set_words * node, missing_left);
    return std::isnan(value) ? missing_left : value <= forest.threshold[node];
}

FRANKBOOST_INLINE std::int8_t follow(const Forest& forest, std::int64_t root, const double* x) {
    std::int64_t node = root;
    while (forest.feature[node] >= 0) {
        const bool left = goes_left(forest, node, x[forest.feature[node]]);
        node = root + (left ? forest.left[node] : forest.right[node]);
    }
    return forest.value[node];
}

constexpr std::size_t row_block = 256;  // rows that stay in cache while the trees pass over them
constexpr std::int64_t most_nodes = 31;  // of a tree that is sooner evaluated whole than walked row by row

// x is the column of a split: a value goes left if it is at most the threshold, a missing one if `missing_left`.
FRANKBOOST_VECTORISED void choose(const double* x, double threshold, bool missing_left, double left, double right,
                                  std::size_t count, double* out) {
    if (missing_left)
        for (std::size_t i = 0; i < count; ++i) out[i] = x[i] > threshold ? right : left;
    else
        for (std::size_t i = 0; i < count; ++i) out[i] = x[i] <= threshold ? left : right;
}

FRANKBOOST_VECTORISED void choose_each(const double* x, double threshold, bool missing_left, const double* right,
                                       std::size_t count, double* left) {
    if (missing_left)
        for (std::size_t i = 0; i < count; ++i) left[i] = x[i] > threshold ? right[i] : left[i];
    else
        for (std::size_t i = 0; i < count; ++i) left[i] = x[i] <= threshold ? left[i] : right[i];
}

FRANKBOOST_VECTORISED void add_votes(const double* values, double weight, std::size_t count, double* votes) {
    for (std::size_t i = 0; i < count; ++i) votes[i] += weight * values[i];
}

void block_values(const Forest& forest, std::int64_t root, std::int64_t node, const double* columns, std::size_t count,
                  double* out) {
    const std::int32_t feature = forest.feature[node];
    if (feature < 0) {
        std::fill_n(out, count, static_cast<double>(forest.value[node]));
        return;
    }
    const std::int64_t left = root + forest.left[node], right = root + forest.right[node];
    const double* x = columns + static_cast<std::size_t>(feature) * row_block;
    const bool missing_left = forest.missing_left[node] != 0;
    if (!splits_categories(forest, node) && forest.feature[left] < 0 && forest.feature[right] < 0) {
        choose(x, forest.threshold[node], missing_left, forest.value[left], forest.value[right], count, out);
        return;
    }
    double other[row_block];
    block_values(forest, root, left, columns, count, out);
    block_values(forest, root, right, columns, count, other);
    if (splits_categories(forest, node)) {
        for (std::size_t i = 0; i < count; ++i)
            if (!goes_left(forest, node, x[i])) out[i] = other[i];
        return;
    }
    choose_each(x, forest.threshold[node], missing_left, other, count, out);
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
    const Code* codes = data.codes + static_cast<std::size_t>(feature) * data.rows + begin;
    if (data.categorical[feature] != 0) {
        CategorySet goes;
        std::copy_n(forest.subset + set_words * node, set_words, goes.word.begin());
        goes.put(static_cast<std::size_t>(data.bins[feature]), missing_left);
        for (std::size_t i = 0; i < count; ++i)
            if (!goes.has(static_cast<std::size_t>(codes[i]))) out[i] = right[i];
        return;
    }
    select_left(codes, static_cast<Code>(forest.last_bin[node]), missing_left, static_cast<Code>(data.bins[feature]), count, out,
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
    const int workers = threads_worth(2.0 * static_cast<double>(rows * forest.trees), threads);
    parallel_for((rows + row_block - 1) / row_block, workers, [&](std::size_t task, std::size_t) {
        const std::size_t begin = task * row_block, count = std::min(row_block, rows - begin);
        // The rows of a block by column, so that a split is one pass over neighbours.
        std::vector<double> columns(features * row_block);
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t f = 0; f < features; ++f) columns[f * row_block + i] = X[(begin + i) * features + f];
        std::fill_n(votes + begin, count, 0.0);
        double values[row_block];
        for (std::size_t t = 0; t < forest.trees; ++t) {
            const std::int64_t root = forest.roots[t];
            const std::int64_t end = t + 1 < forest.trees ? forest.roots[t + 1] : root + forest.last_size;
            if (end - root <= most_nodes) {
                block_values(forest, root, root, columns.data(), count, values);
                add_votes(values, weights[t], count, votes + begin);
            } else {
                for (std::size_t i = 0; i < count; ++i)
                    votes[begin + i] += weights[t] * follow(forest, root, X + (begin + i) * features);
            }
        }
    });
}

}  // namespace frankboost
