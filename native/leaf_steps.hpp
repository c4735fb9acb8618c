// Leaves of log-odds by boosting steps over trees whose splits stay; see src/frankboost/choosing/leaves.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "trees.hpp"

namespace frankboost {

typedef double Pair __attribute__((vector_size(2 * sizeof(double))));  // a slope and a curvature

// The step of a leaf is rate * (sum of its rows' slopes) / (sum of their curvatures + held). `together` neighbouring
// trees see the same probabilities.
struct LeafRule {
    double rate, held;
    std::size_t together;
};

// The trees, the rows, which `place` puts into leaves before the first pass, and the log-odds of both. The results do
// not depend on the number of threads.
class LeafSteps {
    // Trees that see the same probabilities and share a key: the key of a row, its cell, tells its leaf in each tree.
    struct KeyGroup {
        std::size_t begin, end;  // the trees
        std::size_t cells;
        std::size_t group;  // number of the trees that see the same probabilities
    };
    template <class Code>
    using Keys = std::vector<Code>;  // key groups x rows

    LeafRule rule_;
    std::size_t features_;
    std::vector<Node> nodes_;  // the value of a leaf is its part of the key
    std::vector<std::int64_t> roots_;
    std::vector<CategorySet> sets_;
    std::vector<std::size_t> leaves_;  // the nodes that are leaves, one tree after the other
    std::vector<std::size_t> first_;   // the place in `leaves_` of each tree's first leaf, and the end
    std::vector<KeyGroup> key_groups_;
    std::variant<Keys<std::uint8_t>, Keys<std::uint32_t>> keys_;
    std::vector<double> weight_;                // negative in the second class
    std::vector<double> log_odds_;              // without the pending steps
    std::vector<std::vector<double>> pending_;  // steps by cell, of key groups from `first_pending_` on
    std::size_t first_pending_ = 0;
    std::size_t placed_ = 0;  // rows that are in leaves
    std::vector<double> values_;

    TreesView view() const { return {nodes_.data(), nodes_.size(), roots_.data(), roots_.size(), sets_.data()}; }
    void assign_keys(std::size_t tree);
    void move(const KeyGroup& joint, const std::vector<Pair>& sums, std::vector<double>& steps);
    template <class Code>
    void take_group(const Keys<Code>& keys, std::size_t begin, std::size_t end);

  public:
    // `weight` has one entry per row, negative in the second class; all rows start at the log-odds `start`.
    LeafSteps(const TreesView& forest, std::size_t sets, std::size_t features, std::vector<double> weight, double start,
              LeafRule rule);
    std::size_t rows() const { return weight_.size(); }
    std::size_t features() const { return features_; }
    std::size_t placed() const { return placed_; }
    // Finds the leaves of the next rows.
    void place(const double* X, std::size_t rows, int threads);
    // Takes a step of every tree.
    void pass();
    // The log-odds of each leaf; 0 for splits.
    const std::vector<double>& values() const { return values_; }
};

}  // namespace frankboost
