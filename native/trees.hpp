// Trees as node records, the binned training set, and the kernels over both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <variant>
#include <vector>

#include "interaction_sets.hpp"
#include "stop.hpp"

namespace frankboost {

constexpr std::size_t most_thresholds = 255;  // per feature, so that a byte can hold the number of a bin
constexpr std::size_t most_categories = 255;  // per feature: one code is left for a missing value
constexpr std::size_t most_free = 8;          // up to so many categories, the root of a depth-2 tree may have any set
constexpr std::size_t set_words = 4;

// A set of categories, which are numbers below 256.
struct CategorySet {
    std::array<std::uint64_t, set_words> word{};
    bool has(std::size_t c) const { return word[c / 64] >> (c % 64) & 1; }
    void put(std::size_t c, bool in) {
        const std::uint64_t bit = std::uint64_t{1} << (c % 64);
        word[c / 64] = in ? word[c / 64] | bit : word[c / 64] & ~bit;
    }
};
static_assert(sizeof(CategorySet) == set_words * sizeof(std::uint64_t), "sets are rows of words for NumPy");

// A split or a leaf. A value goes left if it is at most the threshold or, if the node has a set, if the category is in
// the set. Children are numbered from the root of their tree, and follow their parent.
struct Node {
    double threshold = std::numeric_limits<double>::quiet_NaN();
    double value = 0.0;
    std::int32_t feature = -1;   // -1 in a leaf
    std::int32_t last_bin = -1;  // the threshold as the last bin that goes left, in the binning that made the tree
    std::int32_t left = -1, right = -1;
    std::int32_t set_index = -1;  // -1: the split has a threshold
    std::uint8_t missing_left = 0;
    std::uint8_t unused[3] = {};  // a field, since NumPy copies fields only, and equal trees have to be equal in memory
};
static_assert(offsetof(Node, feature) == 16 && offsetof(Node, missing_left) == 36 && sizeof(Node) == 40,
              "NumPy's records have this layout");

// Trees in one array of nodes: tree t starts at node roots[t].
struct Trees {
    std::vector<Node> nodes;
    std::vector<std::int64_t> roots;
    std::vector<CategorySet> sets;
};

// The same, in arrays of Python.
struct TreesView {
    const Node* nodes;
    std::size_t size;  // the number of nodes
    const std::int64_t* roots;
    std::size_t trees;
    const CategorySet* sets;

    std::size_t count(std::size_t tree) const {  // the number of a tree's nodes
        const auto end = tree + 1 < trees ? static_cast<std::size_t>(roots[tree + 1]) : size;
        return end - static_cast<std::size_t>(roots[tree]);
    }
    const Node* begin() const { return nodes; }
    const Node* end() const { return nodes + size; }
};

// Whether a code of the binned training set goes left at a split. `missing` is the code of a missing value, and `sets`
// has the split's set at its set_index. src/frankboost/cuda/trees.cu has the same for devices.
inline bool goes_left(const Node& node, const CategorySet* sets, std::int32_t code, std::int32_t missing) {
    if (code == missing) return node.missing_left != 0;
    return node.set_index < 0 ? code <= node.last_bin : sets[node.set_index].has(static_cast<std::size_t>(code));
}

// votes[i] = sum over trees of weights[t] * tree t at row i.
void vote(const TreesView& forest, const double* weights, const double* X, std::size_t rows, std::size_t features,
          double* votes, int threads);

// The same for groups of neighbouring trees, each with its end in `ends`: calls take(group, first row, number of rows,
// votes) for each block of rows.
using TakeVotes = std::function<void(std::size_t, std::size_t, std::size_t, const double*)>;
void votes_of_groups(const TreesView& forest, const double* weights, const std::vector<std::size_t>& ends,
                     const double* X, std::size_t rows, std::size_t features, const TakeVotes& take, int threads);

// The binned training set, feature by feature: codes 0 .. bins-1, and `bins` for a missing value. The bins of a
// categorical feature, at most 255, are its categories.
using Codes = std::variant<const std::uint8_t*, const std::int32_t*>;

struct Features {
    Codes codes;  // features x rows
    std::size_t features;
    std::size_t rows;
    const std::int32_t* bins;
    const std::uint8_t* missing;  // whether the feature has missing values
    const std::uint8_t* categorical;
    // Constraints; null: none.
    const std::int8_t* sign = nullptr;      // 1: no tree falls along the feature, -1: none rises, 0: they may do both
    const std::uint8_t* present = nullptr;  // whether no number exceeds the last threshold
    const InteractionSets* interactions = nullptr;
    std::shared_ptr<const PairMask> mask{};  // the interaction constraint of paths of two splits
};

// votes[t, i] = the vote of tree t for row i of the binned training set; for trees whose leaves are -1 and +1.
void training_votes(const Features& data, const TreesView& forest, std::int8_t* votes, int threads);

// sums[node] = the sum of u over the rows that reach the node if it is a leaf, else 0.
void leaf_sums(const Features& data, const TreesView& forest, const double* u, double* sums, int threads);

// The weighted sum of the votes of trees for each training row, tree by tree.
void training_vote(const Features& data, const TreesView& forest, const double* weights, double* votes, int threads);

// A split during a search: a node without threshold and children, and its set, to which set_index 0 refers. A leaf if
// there is no split.
struct Split {
    Node node{};
    CategorySet set{};

    bool sends_left(std::int32_t code, std::int32_t missing) const { return goes_left(node, &set, code, missing); }
    // The same for every code of a feature, that of a missing value last.
    std::vector<std::uint8_t> sent_left(std::size_t bins) const {
        std::vector<std::uint8_t> left(bins + 1);
        const auto missing = static_cast<std::int32_t>(bins);
        for (std::int32_t code = 0; code <= missing; ++code) left[code] = sends_left(code, missing);
        return left;
    }
};

// The node of a split, whose set is appended to `sets`.
inline Node node_of(const Split& split, std::vector<CategorySet>& sets) {
    Node node = split.node;
    if (node.set_index < 0) return node;
    node.set_index = static_cast<std::int32_t>(sets.size());
    sets.push_back(split.set);
    return node;
}

// The best split of a feature, and what it pays.
struct BestSplit {
    Split split;
    double value = -1.0;
};

// Up to `columns` depth-2 trees of largest edge for signed weights u_i = d_i y_i, best first: one per root feature or,
// if there are fewer features, per choice of three features. The first tree is the best of all. There is none if no
// feature can be split. Thresholds are not filled in. A search that is stopped returns the best trees that it has
// found.
Trees best_trees(const Features& data, const double* u, std::size_t columns, int threads, Stop& stop);

// The best stumps as trees, best first.
Trees stump_trees(const Features& data, const double* u, std::size_t columns, int threads, Stop& stop);

// Good trees of depth 3 or more, best first, by a greedy search. A search that is stopped splits no more leaves.
Trees deep_trees(const Features& data, const double* u, std::size_t depth, std::size_t columns, int threads,
                 Stop& stop);

}  // namespace frankboost
