// Computes the votes of trees for the binned training set. A tree is evaluated from its leaves up for a block of rows,
// one vectorised selection per split, unless it is so large that a walk per row is faster. Reference: walks in
// tests/test_native.py.
#include <memory>

#include "parallel.hpp"
#include "trees.hpp"

namespace frankboost {
namespace {

// left = left where the code goes left at a split, else right; without branches.
template <class Code, class Value>
FRANKBOOST_INLINE void select_values(const Code* __restrict codes, Code last_bin, bool missing_left, Code missing,
                                     std::size_t count, Value* __restrict left, const Value* __restrict right) {
    // Bit masks, since compilers turn a conditional into a branch.
    auto blend = [&](std::size_t i, bool goes_left) {
        const auto mask = static_cast<Value>(-static_cast<Value>(goes_left));
        left[i] = static_cast<Value>((left[i] & mask) | (right[i] & ~mask));
    };
    if (missing_left)
        for (std::size_t i = 0; i < count; ++i) blend(i, (codes[i] <= last_bin) | (codes[i] == missing));
    else
        for (std::size_t i = 0; i < count; ++i) blend(i, codes[i] <= last_bin);
}

// Compilers make no vectorised copies of templates.
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

// The number of splits on the longest path of a tree, or an upper bound on it for a small tree.
std::size_t depth_of(const Node* root, std::size_t nodes) {
    if (nodes < 16) return nodes / 2;
    std::vector<std::size_t> level(nodes, 0);
    for (std::size_t k = 0; k < nodes; ++k)  // children follow their parent
        if (root[k].feature >= 0)
            for (std::int32_t child : {root[k].left, root[k].right})
                level[child] = std::max(level[child], level[k] + 1);
    return *std::max_element(level.begin(), level.end());
}

// Evaluates trees for blocks of rows.
template <class Value>
class Evaluator {
    // Larger trees are walked row by row: that is faster, or the recursion over the tree would be too deep.
    static constexpr std::size_t most_nodes = 2047, most_levels = 200;

    const Features& data_;
    const TreesView& forest_;
    std::vector<std::uint8_t> whole_;              // whether a tree is evaluated whole
    std::vector<std::unique_ptr<Value[]>> spare_;  // memory of each worker, one block per level

    bool sends_left(const Node& node, std::int32_t code) const {
        return goes_left(node, forest_.sets, code, data_.bins[node.feature]);
    }

    template <class Code>
    void choose(const Node& node, const Code* codes, std::size_t count, Value* out, const Value* right) const {
        if (node.set_index < 0) {
            // Where no value is missing, no byte may be left for the code of one.
            const bool missing_left = data_.missing[node.feature] != 0 && node.missing_left != 0;
            select_left(codes, static_cast<Code>(node.last_bin), missing_left,
                        static_cast<Code>(data_.bins[node.feature]), count, out, right);
            return;
        }
        Value stays[most_categories + 1];  // all bits set if the category goes left, else none
        for (std::size_t k = 0; k <= most_categories; ++k)
            stays[k] = static_cast<Value>(-static_cast<Value>(sends_left(node, static_cast<std::int32_t>(k))));
        for (std::size_t i = 0; i < count; ++i) {
            const Value mask = stays[codes[i]];
            out[i] = static_cast<Value>((out[i] & mask) | (right[i] & ~mask));
        }
    }

    template <class Leaf>
    void subtree(const Node* root, const Node& node, std::size_t begin, std::size_t count, Value* out, Value* spare,
                 const Leaf& leaf) const {
        if (node.feature < 0) {
            std::fill_n(out, count, leaf(node));
            return;
        }
        subtree(root, root[node.left], begin, count, out, spare, leaf);
        subtree(root, root[node.right], begin, count, spare, spare + vote_block, leaf);
        const std::size_t at = static_cast<std::size_t>(node.feature) * data_.rows + begin;
        std::visit([&](const auto* codes) { choose(node, codes + at, count, out, spare); }, data_.codes);
    }

    template <class Code>
    const Node& walk(const Node* root, const Code* codes) const {
        const Node* node = root;
        while (node->feature >= 0) {
            const std::int32_t code = codes[static_cast<std::size_t>(node->feature) * data_.rows];
            node = root + (sends_left(*node, code) ? node->left : node->right);
        }
        return *node;
    }

  public:
    Evaluator(const Features& data, const TreesView& forest, int workers) : data_(data), forest_(forest) {
        std::size_t levels = 0;
        for (std::size_t t = 0; t < forest.trees; ++t) {
            const std::size_t depth = depth_of(forest.nodes + forest.roots[t], forest.count(t));
            whole_.push_back(forest.count(t) <= most_nodes && depth <= most_levels);
            if (whole_.back()) levels = std::max(levels, depth);
        }
        for (int worker = 0; worker < workers; ++worker) spare_.emplace_back(new Value[levels * vote_block]);
    }

    // out = leaf(node), with the leaf node that each of the rows begin .. begin + count reaches.
    template <class Leaf>
    void operator()(std::size_t tree, std::size_t begin, std::size_t count, Value* out, std::size_t worker,
                    const Leaf& leaf) const {
        const Node* root = forest_.nodes + forest_.roots[tree];
        if (whole_[tree]) return subtree(root, *root, begin, count, out, spare_[worker].get(), leaf);
        const auto walk_each = [&](const auto* codes) {
            for (std::size_t i = 0; i < count; ++i) out[i] = leaf(walk(root, codes + begin + i));
        };
        std::visit(walk_each, data_.codes);
    }
};

// The number of a leaf in its tree.
struct LeafNumber {
    const Node* root;
    std::int32_t operator()(const Node& leaf) const { return static_cast<std::int32_t>(&leaf - root); }
};

}  // namespace

void training_votes(const Features& data, const TreesView& forest, std::int8_t* votes, int threads) {
    const std::size_t blocks = (data.rows + vote_block - 1) / vote_block;
    const int workers = threads_worth(0.5 * static_cast<double>(data.rows * forest.trees), threads);
    const Evaluator<std::int8_t> evaluate(data, forest, workers);
    parallel_for(blocks * forest.trees, workers, [&](std::size_t task, std::size_t worker) {
        const std::size_t tree = task / blocks, begin = task % blocks * vote_block;
        const std::size_t count = std::min(vote_block, data.rows - begin);
        evaluate(tree, begin, count, votes + tree * data.rows + begin, worker,
                 [](const Node& leaf) { return static_cast<std::int8_t>(leaf.value); });
    });
}

void training_vote(const Features& data, const TreesView& forest, const double* weights, double* votes, int threads) {
    const std::size_t blocks = (data.rows + vote_block - 1) / vote_block;
    const int workers = threads_worth(1.5 * static_cast<double>(data.rows * forest.trees), threads);
    const Evaluator<std::int32_t> evaluate(data, forest, workers);
    parallel_for(blocks, workers, [&](std::size_t task, std::size_t worker) {
        const std::size_t begin = task * vote_block, count = std::min(vote_block, data.rows - begin);
        std::int32_t reached[vote_block];
        std::fill_n(votes + begin, count, 0.0);
        for (std::size_t tree = 0; tree < forest.trees; ++tree) {
            const Node* root = forest.nodes + forest.roots[tree];
            evaluate(tree, begin, count, reached, worker, LeafNumber{root});
            for (std::size_t i = 0; i < count; ++i) votes[begin + i] += weights[tree] * root[reached[i]].value;
        }
    });
}

void leaf_sums(const Features& data, const TreesView& forest, const double* u, double* sums, int threads) {
    const int workers = threads_worth(1.5 * static_cast<double>(data.rows * forest.trees), threads);
    const Evaluator<std::int32_t> evaluate(data, forest, workers);
    std::fill_n(sums, forest.size, 0.0);
    parallel_for(forest.trees, workers, [&](std::size_t tree, std::size_t worker) {
        const Node* root = forest.nodes + forest.roots[tree];
        double* const out = sums + forest.roots[tree];
        std::int32_t reached[vote_block];
        for (std::size_t begin = 0; begin < data.rows; begin += vote_block) {
            const std::size_t count = std::min(vote_block, data.rows - begin);
            evaluate(tree, begin, count, reached, worker, LeafNumber{root});
            for (std::size_t i = 0; i < count; ++i) out[reached[i]] += u[begin + i];
        }
    });
}

}  // namespace frankboost
