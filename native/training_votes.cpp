// What trees say of the binned training set.
#include "parallel.hpp"
#include "trees.hpp"

namespace frankboost {
namespace {

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
#define FRANKBOOST_SELECT(Code, Value)                                                                              \
    FRANKBOOST_VECTORISED_BYTES void select_left(const Code* codes, Code last_bin, bool missing_left, Code missing, \
                                                 std::size_t count, Value* left, const Value* right) {              \
        select_values(codes, last_bin, missing_left, missing, count, left, right);                                  \
    }
FRANKBOOST_SELECT(std::uint8_t, std::int8_t)
FRANKBOOST_SELECT(std::int32_t, std::int8_t)
FRANKBOOST_SELECT(std::uint8_t, std::int32_t)
FRANKBOOST_SELECT(std::int32_t, std::int32_t)
#undef FRANKBOOST_SELECT

constexpr std::size_t vote_block = 4096;

// What the subtree at a node says of rows begin .. begin + count, from the leaves up; leaf(node) is what a leaf says.
// Every node is visited: for the few levels of a boosted tree that is cheaper than a walk for each row.
template <class Value, class Leaf>
void evaluate(const Features& data, const TreesView& forest, const Node* root, const Node& node, std::size_t begin,
              std::size_t count, Value* out, const Leaf& leaf) {
    if (node.feature < 0) {
        std::fill_n(out, count, leaf(node));
        return;
    }
    Value right[vote_block];
    evaluate(data, forest, root, root[node.left], begin, count, out, leaf);
    evaluate(data, forest, root, root[node.right], begin, count, right, leaf);
    const auto feature = static_cast<std::size_t>(node.feature);
    const std::int32_t missing = data.bins[feature];
    const bool missing_left = data.missing[feature] != 0 && node.missing_left != 0;
    const auto choose = [&](const auto* all) {
        using Code = std::decay_t<decltype(*all)>;
        const Code* codes = all + feature * data.rows + begin;
        if (node.set_index < 0) {
            select_left(codes, static_cast<Code>(node.last_bin), missing_left, static_cast<Code>(missing), count, out,
                        right);
            return;
        }
        CategorySet goes = forest.sets[node.set_index];
        goes.put(static_cast<std::size_t>(missing), missing_left);
        for (std::size_t i = 0; i < count; ++i)
            if (!goes.has(static_cast<std::size_t>(codes[i]))) out[i] = right[i];
    };
    std::visit(choose, data.codes);
}

}  // namespace

void training_votes(const Features& data, const TreesView& forest, std::int8_t* votes, int threads) {
    const std::size_t blocks = (data.rows + vote_block - 1) / vote_block;
    const int workers = threads_worth(0.5 * static_cast<double>(data.rows * forest.trees), threads);
    parallel_for(blocks * forest.trees, workers, [&](std::size_t task, std::size_t) {
        const std::size_t tree = task / blocks, begin = task % blocks * vote_block;
        const std::size_t count = std::min(vote_block, data.rows - begin);
        const Node* root = forest.nodes + forest.roots[tree];
        evaluate(data, forest, root, *root, begin, count, votes + tree * data.rows + begin,
                 [](const Node& leaf) { return static_cast<std::int8_t>(leaf.value); });
    });
}

void leaf_sums(const Features& data, const TreesView& forest, const double* u, double* sums, int threads) {
    const int workers = threads_worth(1.5 * static_cast<double>(data.rows * forest.trees), threads);
    parallel_for(forest.trees, workers, [&](std::size_t tree, std::size_t) {
        const Node* root = forest.nodes + forest.roots[tree];
        double* const out = sums + forest.roots[tree];
        std::int32_t reached[vote_block];  // the number in its tree of the leaf that each row reaches
        for (std::size_t begin = 0; begin < data.rows; begin += vote_block) {
            const std::size_t count = std::min(vote_block, data.rows - begin);
            evaluate(data, forest, root, *root, begin, count, reached,
                     [&](const Node& leaf) { return static_cast<std::int32_t>(&leaf - root); });
            for (std::size_t i = 0; i < count; ++i) out[reached[i]] += u[begin + i];
        }
    });
}

}  // namespace frankboost
