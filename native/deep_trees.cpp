// Trees deeper than 2, grown from the root down: every split above the two last levels is the root of a good depth-2
// tree of its rows, and the two last levels are such a tree; see node_search.cpp.
//
// Which root is best shows only at the bottom. So several trees are grown, from the roots on different features that
// promise most, and the best of them are kept. A tree with the next best bottoms under the same upper splits costs
// next to nothing more, since one search of a node finds them all.
//
// All nodes of a level are searched side by side; the answer does not depend on the number of threads.
#include <atomic>
#include <numeric>

#include "growing.hpp"
#include "node_search.hpp"

namespace frankboost {
namespace {

constexpr std::size_t most_bottoms = 4;  // under the same upper splits
constexpr std::size_t least_tops = 4;    // roots that are tried, however few trees are wanted

// A leaf that may yet be split, and good trees to take its place.
struct Bud {
    std::size_t tree, leaf;
    RowNumbers rows;
    std::vector<std::size_t> path{};  // the features that are split above it
    std::vector<TwoLevels> found{};
};

class DeepSearch {
    const Rows& rows_;
    const Together* together_;
    int threads_;
    Stop& stop_;
    std::atomic<bool> stopped_{false};  // what other threads than the calling one know of stop_

    double sum(const RowNumbers& rows) const {
        double total = 0.0;
        for (std::uint32_t i : rows) total += rows_.weight[i];
        return total;
    }

    // At most so many trees for each bud. Those that a stopped search leaves out stay leaves.
    void search(std::vector<Bud>& buds, std::size_t most) {
        if (stop_.said()) return;
        double cost = 0.0;
        const auto n = static_cast<double>(rows_.features());
        for (const Bud& bud : buds) cost += 0.5 * n * n * static_cast<double>(bud.rows.size());
        const int each = std::max(1, threads_ / static_cast<int>(std::max<std::size_t>(buds.size(), 1)));
        const auto look = [&](std::size_t task, std::size_t worker) {
            Stop elsewhere([&] { return stopped_.load(); });
            Stop& stop = worker == 0 ? stop_ : elsewhere;
            std::shared_ptr<const PairMask> mask;
            if (together_ != nullptr) mask = std::make_shared<const PairMask>(together_->below(buds[task].path));
            buds[task].found = search_node(rows_, buds[task].rows, std::move(mask), most, each, stop);
            if (stop_.said() && worker == 0) stopped_ = true;
        };
        parallel_for(buds.size(), threads_worth(cost, threads_), look, stop_);
    }

    // Split a bud; its two sides are buds again, unless one of them keeps the order of an ordered split.
    void sprout(Growing& tree, const Bud& bud, const TwoLevels& found, std::vector<Bud>& next) const {
        const Split& split = found.root;
        auto [right, left] = partition(rows_, bud.rows, split);
        tree.split(bud.leaf, split, sum(left), sum(right));
        const auto leaf = static_cast<std::size_t>(tree.nodes[bud.leaf].node.left);
        std::vector<std::size_t> path = bud.path;
        path.push_back(static_cast<std::size_t>(split.node.feature));
        if (found.grows_left)
            next.push_back({bud.tree, leaf, std::move(left), path});
        else
            tree.split(leaf, found.left);
        if (found.grows_right)
            next.push_back({bud.tree, leaf + 1, std::move(right), std::move(path)});
        else
            tree.split(leaf + 1, found.right);
    }

    // The trees with their best bottoms, with the next best, and so on.
    static std::vector<Growing> with_bottoms(const std::vector<Growing>& tops, const std::vector<Bud>& buds) {
        std::vector<Growing> trees;
        for (std::size_t rank = 0; rank < most_bottoms; ++rank) {
            std::vector<Growing> grown = tops;
            std::vector<std::uint8_t> differs(tops.size(), rank == 0);
            for (const Bud& bud : buds) {
                if (bud.found.empty()) continue;
                if (rank < bud.found.size()) differs[bud.tree] = 1;
                grown[bud.tree].split(bud.leaf, bud.found[std::min(rank, bud.found.size() - 1)]);
            }
            for (std::size_t t = 0; t < grown.size(); ++t)
                if (differs[t]) trees.push_back(std::move(grown[t]));
        }
        return trees;
    }

  public:
    DeepSearch(const Rows& rows, const Together* together, int threads, Stop& stop)
        : rows_(rows), together_(together), threads_(threads), stop_(stop) {}

    std::vector<Growing> operator()(std::size_t depth, std::size_t columns) {
        const std::size_t bottoms = std::min(columns, most_bottoms);
        const std::size_t tops = std::max(least_tops, (columns + bottoms - 1) / bottoms);
        std::vector<Bud> buds{{0, 0, RowNumbers(rows_.size())}}, next;
        std::iota(buds[0].rows.begin(), buds[0].rows.end(), 0u);
        search(buds, tops);
        const Growing leaf(sum(buds[0].rows));
        std::vector<Growing> trees(std::max<std::size_t>(buds[0].found.size(), 1), leaf);
        for (std::size_t t = 0; t < buds[0].found.size(); ++t)
            sprout(trees[t], {t, 0, buds[0].rows}, buds[0].found[t], next);
        for (std::size_t levels = depth - 1; levels > 2 && !next.empty(); --levels) {
            buds = std::exchange(next, {});
            search(buds, 1);
            for (const Bud& bud : buds)
                if (!bud.found.empty()) sprout(trees[bud.tree], bud, bud.found[0], next);
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
    return flat(DeepSearch(rows, data.together, threads, stop)(depth, columns));
}

}  // namespace frankboost
