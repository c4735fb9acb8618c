// Trees under construction: a tree is complete at any time, and a leaf may become a split.
#pragma once

#include "survey.hpp"

namespace frankboost {

inline double sign_of(double sum, double otherwise) { return sum > 0.0 ? 1.0 : sum < 0.0 ? -1.0 : otherwise; }

// A tree and its edge. A leaf votes the sign of the sum of u over its rows; a leaf whose sum is 0 votes as its parent
// did.
struct Growing {
    std::vector<Split> nodes;
    double value;  // the edge

    explicit Growing(double sum) : value(std::fabs(sum)) {
        nodes.reserve(7);  // the nodes of a tree of depth 2
        add_leaf(sign_of(sum, 1.0));
    }

    // Replaces a leaf by a split, whose leaves become the last nodes; `left` and `right` are the sums of u in them.
    void split(std::size_t leaf, const Split& split, double left, double right) {
        const double own = nodes[leaf].node.value;
        const auto next = static_cast<std::int32_t>(nodes.size());
        nodes[leaf] = split;
        nodes[leaf].node.left = next;
        nodes[leaf].node.right = next + 1;
        value += std::fabs(left) + std::fabs(right) - std::fabs(left + right);
        add_leaf(sign_of(left, own));
        add_leaf(sign_of(right, own));
    }
    void split(std::size_t leaf, const Stump& stump) {
        const bool splits = stump.split.node.feature >= 0;
        if (splits) split(leaf, stump.split, stump.left, stump.right);
        if (stump.left_vote == 0) return;
        value += stump.pay() - std::fabs(stump.left) - std::fabs(stump.right);
        const auto left = splits ? static_cast<std::size_t>(nodes[leaf].node.left) : leaf;
        nodes[left].node.value = stump.left_vote;
        if (splits) nodes[left + 1].node.value = -stump.left_vote;
    }
    void split(std::size_t leaf, const TwoLevels& tree) {
        split(leaf, tree.root, tree.left.sum(), tree.right.sum());
        const auto left = static_cast<std::size_t>(nodes[leaf].node.left);
        split(left, tree.left);
        split(left + 1, tree.right);
    }

  private:
    void add_leaf(double sign) { nodes.emplace_back().node.value = sign; }
};

// Keeps the `most` trees of largest edge, best first. Of trees with the same edge the smaller one comes first, and of
// equally small ones the earlier one.
inline void keep_best(std::vector<Growing>& trees, std::size_t most) {
    std::stable_sort(trees.begin(), trees.end(), [](const auto& a, const auto& b) {
        return a.value > b.value || (a.value == b.value && a.nodes.size() < b.nodes.size());
    });
    if (trees.size() > most) trees.erase(trees.begin() + static_cast<std::ptrdiff_t>(most), trees.end());
}

// The trees as arrays of nodes and sets.
inline Trees flat(const std::vector<Growing>& grown) {
    Trees trees;
    for (const Growing& tree : grown) {
        trees.roots.push_back(static_cast<std::int64_t>(trees.nodes.size()));
        for (const Split& split : tree.nodes) trees.nodes.push_back(node_of(split, trees.sets));
    }
    return trees;
}

// Appends a node and its subtree, depth first, to the last tree; returns the place of the node in that tree.
inline std::int32_t add_depth_first(const Growing& tree, std::int32_t number, Trees& trees) {
    const Split& split = tree.nodes[static_cast<std::size_t>(number)];
    const std::size_t at = trees.nodes.size();
    trees.nodes.push_back(node_of(split, trees.sets));
    if (split.node.feature >= 0) {
        const std::int32_t left = add_depth_first(tree, split.node.left, trees);
        const std::int32_t right = add_depth_first(tree, split.node.right, trees);
        trees.nodes[at].left = left;
        trees.nodes[at].right = right;
    }
    return static_cast<std::int32_t>(static_cast<std::int64_t>(at) - trees.roots.back());
}

}  // namespace frankboost
