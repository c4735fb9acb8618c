// Leaves of log-odds by boosting, over trees whose splits stay; see src/frankboost/choosing/leaves.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "trees.hpp"

namespace frankboost {

typedef double Pair __attribute__((vector_size(2 * sizeof(double))));  // a slope and a curvature

// How a leaf moves: `rate` times its rows' slope over their curvature and `held`. So many trees one after another see
// the same probabilities.
struct LeafRule {
    double rate, held;
    std::size_t together;
};

// Trees, and rows that are placed in their leaves before the first pass. It is the same for any number of threads.
class LeafSteps {
    // Trees that see the same probabilities share a key of few values, the cells: where a row ends in all of them.
    struct Joint {
        std::size_t begin, end;  // trees
        std::size_t cells;
        std::size_t group;  // of the same probabilities
    };
    template <class Code>
    using Keys = std::vector<Code>;  // joints x rows

    LeafRule rule_;
    std::size_t features_;
    std::vector<Node> nodes_;  // whose leaves have their part of the key as their value
    std::vector<std::int64_t> roots_;
    std::vector<CategorySet> sets_;
    std::vector<std::size_t> leaves_;  // nodes that are, one tree after the other
    std::vector<std::size_t> first_;   // of each tree's, and the end
    std::vector<Joint> joints_;
    std::variant<Keys<std::uint8_t>, Keys<std::uint32_t>> keys_;
    std::vector<double> weight_;                // negative in the second class
    std::vector<double> log_odds_;              // without the steps that wait
    std::vector<std::vector<double>> waiting_;  // what each cell of the last group's joints adds to the log-odds
    std::size_t waits_ = 0;                     // the first of these joints
    std::size_t placed_ = 0;
    std::vector<double> values_;

    TreesView view() const { return {nodes_.data(), nodes_.size(), roots_.data(), roots_.size(), sets_.data()}; }
    void join(std::size_t tree);
    void move(const Joint& joint, const std::vector<Pair>& sums, std::vector<double>& steps);
    template <class Code>
    void take_group(const Keys<Code>& keys, std::size_t begin, std::size_t end);

  public:
    // For so many rows of signed weights; all start at the same log-odds.
    LeafSteps(const TreesView& forest, std::size_t sets, std::size_t features, std::vector<double> weight, double start,
              LeafRule rule);
    std::size_t rows() const { return weight_.size(); }
    std::size_t features() const { return features_; }
    std::size_t placed() const { return placed_; }
    // The next rows.
    void place(const double* X, std::size_t rows, int threads);
    // All trees once.
    void pass();
    // Of each node; 0 where it is no leaf.
    const std::vector<double>& values() const { return values_; }
};

}  // namespace frankboost
