// Grows trees deeper than 2 greedily, from the root down. Every split above the two last levels is the root of a good
// depth-2 tree of its rows, and the two last levels are such a tree; node_search.cpp finds it. Reference: the same in
// plain NumPy, tests/learners/greedy.py.
//
// Only the whole tree shows which root is best. So several trees are grown, from promising roots on different features,
// and the best of them are kept. One search of a node finds several depth-2 trees, so that trees with the same upper
// splits and the next best last levels cost next to nothing.
//
// All nodes of a level are searched in parallel; the trees do not depend on the number of threads.
#include <atomic>
#include <numeric>

#include "growing.hpp"
#include "node_search.hpp"

namespace frankboost {
namespace {

constexpr std::size_t most_bottoms = 4;  // trees with the same upper splits
constexpr std::size_t least_tops = 4;    // roots that are tried, even for a single tree

// A leaf that is still to be split, and good depth-2 trees that may replace it.
struct OpenLeaf {
    std::size_t tree, leaf;
    RowNumbers rows;
    std::vector<std::size_t> path{};  // the features that are split above it
    std::vector<TwoLevels> found{};
};

class DeepSearch {
    const Rows& rows_;
    const InteractionSets* interactions_;
    int threads_;
    Stop& stop_;
    std::atomic<bool> stopped_{false};  // stop_ as other threads than the calling one see it

    double sum(const RowNumbers& rows) const {
        double total = 0.0;
        for (std::uint32_t i : rows) total += rows_.weight[i];
        return total;
    }

    // Finds at most `most` trees for each open leaf. Leaves that a stopped search does not reach stay leaves.
    void search(std::vector<OpenLeaf>& open_leaves, std::size_t most) {
        if (stop_.requested()) return;
        double cost = 0.0;
        const auto n = static_cast<double>(rows_.features());
        for (const OpenLeaf& open_leaf : open_leaves) cost += 0.5 * n * n * static_cast<double>(open_leaf.rows.size());
        const int each = std::max(1, threads_ / static_cast<int>(std::max<std::size_t>(open_leaves.size(), 1)));
        const auto look = [&](std::size_t task, std::size_t worker) {
            Stop elsewhere([&] { return stopped_.load(); });
            Stop& stop = worker == 0 ? stop_ : elsewhere;
            std::shared_ptr<const PairMask> mask;
            if (interactions_ != nullptr)
                mask = std::make_shared<const PairMask>(interactions_->below(open_leaves[task].path));
            open_leaves[task].found = search_node(rows_, open_leaves[task].rows, std::move(mask), most, each, stop);
            if (stop_.requested() && worker == 0) stopped_ = true;
        };
        parallel_for(open_leaves.size(), threads_worth(cost, threads_), look, stop_);
    }

    // Splits an open leaf. Its two sides become open leaves, unless a constraint of order fixes the tree of a side.
    void split_leaf(Growing& tree, const OpenLeaf& open_leaf, const TwoLevels& found,
                    std::vector<OpenLeaf>& next) const {
        const Split& split = found.root;
        auto [right, left] = partition(rows_, open_leaf.rows, split);
        tree.split(open_leaf.leaf, split, sum(left), sum(right));
        const auto leaf = static_cast<std::size_t>(tree.nodes[open_leaf.leaf].node.left);
        std::vector<std::size_t> path = open_leaf.path;
        path.push_back(static_cast<std::size_t>(split.node.feature));
        if (found.grows_left)
            next.push_back({open_leaf.tree, leaf, std::move(left), path});
        else
            tree.split(leaf, found.left);
        if (found.grows_right)
            next.push_back({open_leaf.tree, leaf + 1, std::move(right), std::move(path)});
        else
            tree.split(leaf + 1, found.right);
    }

    // The trees with their best last levels, then those with the next best, and so on.
    static std::vector<Growing> with_bottoms(const std::vector<Growing>& tops,
                                             const std::vector<OpenLeaf>& open_leaves) {
        std::vector<Growing> trees;
        for (std::size_t rank = 0; rank < most_bottoms; ++rank) {
            std::vector<Growing> grown = tops;
            std::vector<std::uint8_t> differs(tops.size(), rank == 0);
            for (const OpenLeaf& open_leaf : open_leaves) {
                if (open_leaf.found.empty()) continue;
                if (rank < open_leaf.found.size()) differs[open_leaf.tree] = 1;
                grown[open_leaf.tree].split(open_leaf.leaf,
                                            open_leaf.found[std::min(rank, open_leaf.found.size() - 1)]);
            }
            for (std::size_t t = 0; t < grown.size(); ++t)
                if (differs[t]) trees.push_back(std::move(grown[t]));
        }
        return trees;
    }

  public:
    DeepSearch(const Rows& rows, const InteractionSets* interactions, int threads, Stop& stop)
        : rows_(rows), interactions_(interactions), threads_(threads), stop_(stop) {}

    std::vector<Growing> operator()(std::size_t depth, std::size_t columns) {
        const std::size_t bottoms = std::min(columns, most_bottoms);
        const std::size_t tops = std::max(least_tops, (columns + bottoms - 1) / bottoms);
        std::vector<OpenLeaf> open_leaves{{0, 0, RowNumbers(rows_.size())}}, next;
        std::iota(open_leaves[0].rows.begin(), open_leaves[0].rows.end(), 0u);
        search(open_leaves, tops);
        const Growing leaf(sum(open_leaves[0].rows));
        std::vector<Growing> trees(std::max<std::size_t>(open_leaves[0].found.size(), 1), leaf);
        for (std::size_t t = 0; t < open_leaves[0].found.size(); ++t)
            split_leaf(trees[t], {t, 0, open_leaves[0].rows}, open_leaves[0].found[t], next);
        for (std::size_t levels = depth - 1; levels > 2 && !next.empty(); --levels) {
            open_leaves = std::exchange(next, {});
            search(open_leaves, 1);
            for (const OpenLeaf& open_leaf : open_leaves)
                if (!open_leaf.found.empty()) split_leaf(trees[open_leaf.tree], open_leaf, open_leaf.found[0], next);
        }
        search(next, bottoms);
        trees = with_bottoms(trees, next);
        keep_best(trees, columns);
        return trees;
    }
};

}  // namespace

Trees deep_trees(const Features& data, const double* u, std::size_t depth, std::size_t columns, int threads,
                 Stop& stop) {
    const Rows rows(data, u);
    return flat(DeepSearch(rows, data.interactions, threads, stop)(depth, columns));
}

}  // namespace frankboost
