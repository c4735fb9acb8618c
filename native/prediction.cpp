// Computes the weighted vote of trees for rows of numbers. Small trees are evaluated whole for a block of rows, one
// vectorised pass per split, without the unpredictable branches of a walk. Reference: walks in tests/test_native.py.
#include <cmath>

#include "parallel.hpp"
#include "trees.hpp"

namespace frankboost {
namespace {

// Whether a value goes left. At a split by a set, a value that is no category counts as missing.
FRANKBOOST_INLINE bool value_goes_left(const TreesView& forest, const Node& node, double value) {
    if (node.set_index < 0) return std::isnan(value) ? node.missing_left != 0 : value <= node.threshold;
    if (!(value >= 0.0 && value <= most_categories)) return node.missing_left != 0;
    const auto category = static_cast<unsigned>(value);
    return category == value ? forest.sets[node.set_index].has(category) : node.missing_left != 0;
}

// The value of the leaf that a row reaches, by a walk from the root.
FRANKBOOST_INLINE double leaf_value(const TreesView& forest, const Node* root, const double* x) {
    const Node* node = root;
    while (node->feature >= 0)
        node = root + (value_goes_left(forest, *node, x[node->feature]) ? node->left : node->right);
    return node->value;
}

constexpr std::size_t row_block = 256;  // rows that stay in cache while the trees pass over them
constexpr std::size_t most_nodes = 31;  // up to this size, evaluating a tree whole is faster than walks

// out = left where a value of the column x goes left, else right: at most the threshold, or missing if `missing_left`.
FRANKBOOST_VECTORISED void select_leaves(const double* x, double threshold, bool missing_left, double left,
                                         double right, std::size_t count, double* out) {
    if (missing_left)
        for (std::size_t i = 0; i < count; ++i) out[i] = x[i] > threshold ? right : left;
    else
        for (std::size_t i = 0; i < count; ++i) out[i] = x[i] <= threshold ? left : right;
}

// The same for two arrays of values; `left` is also the result.
FRANKBOOST_VECTORISED void select_values(const double* x, double threshold, bool missing_left, const double* right,
                                         std::size_t count, double* left) {
    if (missing_left)
        for (std::size_t i = 0; i < count; ++i) left[i] = x[i] > threshold ? right[i] : left[i];
    else
        for (std::size_t i = 0; i < count; ++i) left[i] = x[i] <= threshold ? left[i] : right[i];
}

// The same for a split by a set, with a table in place of a branch, which a processor could not predict.
void select_by_set(const double* x, const CategorySet& set, bool missing_left, const double* right, std::size_t count,
                   double* left) {
    constexpr std::size_t none = most_categories + 1;  // the place of values that are no category
    const double* from[2] = {right, left};
    std::uint8_t stays[none + 1];
    for (std::size_t k = 0; k < none; ++k) stays[k] = set.has(k);
    stays[none] = missing_left;
    for (std::size_t i = 0; i < count; ++i) {
        const bool inside = x[i] >= 0.0 && x[i] <= most_categories;
        const auto category = static_cast<std::size_t>(inside ? static_cast<std::int32_t>(x[i]) : 0);
        const bool whole = inside & (static_cast<double>(category) == x[i]);
        left[i] = from[stays[whole ? category : none]][i];
    }
}

FRANKBOOST_VECTORISED void add_votes(const double* values, double weight, std::size_t count, double* votes) {
    for (std::size_t i = 0; i < count; ++i) votes[i] += weight * values[i];
}

// out = the values of a subtree for a block of rows.
void block_values(const TreesView& forest, const Node* root, const Node& node, const double* columns, std::size_t count,
                  double* out) {
    if (node.feature < 0) {
        std::fill_n(out, count, node.value);
        return;
    }
    const Node &left = root[node.left], &right = root[node.right];
    const double* x = columns + static_cast<std::size_t>(node.feature) * row_block;
    const bool by_set = node.set_index >= 0, missing_left = node.missing_left != 0;
    if (!by_set && left.feature < 0 && right.feature < 0) {
        select_leaves(x, node.threshold, missing_left, left.value, right.value, count, out);
        return;
    }
    double other[row_block];
    block_values(forest, root, left, columns, count, out);
    block_values(forest, root, right, columns, count, other);
    if (!by_set) {
        select_values(x, node.threshold, missing_left, other, count, out);
        return;
    }
    select_by_set(x, forest.sets[node.set_index], missing_left, other, count, out);
}

}  // namespace

void votes_of_groups(const TreesView& forest, const double* weights, const std::vector<std::size_t>& ends,
                     const double* X, std::size_t rows, std::size_t features, const TakeVotes& take, int threads) {
    const int workers = threads_worth(2.0 * static_cast<double>(rows * forest.trees), threads);
    Blocks(rows, workers, row_block).for_each([&](std::size_t, std::size_t begin, std::size_t count) {
        // The rows of a block, column by column, so that a split is one pass over neighbouring values.
        std::vector<double> columns(features * row_block);
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t f = 0; f < features; ++f) columns[f * row_block + i] = X[(begin + i) * features + f];
        double values[row_block], votes[row_block];
        for (std::size_t group = 0, t = 0; group < ends.size(); ++group) {
            std::fill_n(votes, count, 0.0);
            for (; t < ends[group]; ++t) {
                const Node* root = forest.nodes + forest.roots[t];
                if (forest.count(t) <= most_nodes) {
                    block_values(forest, root, *root, columns.data(), count, values);
                    add_votes(values, weights[t], count, votes);
                } else {
                    for (std::size_t i = 0; i < count; ++i)
                        votes[i] += weights[t] * leaf_value(forest, root, X + (begin + i) * features);
                }
            }
            take(group, begin, count, votes);
        }
    });
}

void vote(const TreesView& forest, const double* weights, const double* X, std::size_t rows, std::size_t features,
          double* votes, int threads) {
    const auto take = [&](std::size_t, std::size_t begin, std::size_t count, const double* sums) {
        std::copy_n(sums, count, votes + begin);
    };
    votes_of_groups(forest, weights, {forest.trees}, X, rows, features, take, threads);
}

}  // namespace frankboost
