// Finds good depth-2 trees of a node by two searches. The first, over coarse bins, chooses the features of a tree: its
// tables fit into the fastest cache, and cost little for few rows. The second, over all bins of one of these features
// after the other, chooses the thresholds. Reference: tests/learners/greedy.py, in plain NumPy.
#include "node_search.hpp"

#include <numeric>

namespace frankboost {
namespace {

constexpr std::size_t coarse_bins = 32;
constexpr std::size_t most_root_features = 64;  // features tried at the root, as more pairs would take too long
constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

// The features of a depth-2 tree.
struct FeatureChoice {
    std::size_t root, left, right;
};

// Flags of the features that gain most by a single split.
std::vector<std::uint8_t> features_of_largest_gain(const std::vector<Column>& columns, const Layout& layout) {
    std::vector<std::size_t> order;
    for (std::size_t f = 0; f < columns.size(); ++f)
        if (layout.together(f, f)) order.push_back(f);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t f, std::size_t g) { return columns[f].gain > columns[g].gain; });
    std::vector<std::uint8_t> wanted(columns.size(), 0);
    for (std::size_t k = 0; k < std::min(most_root_features, order.size()); ++k) wanted[order[k]] = 1;
    return wanted;
}

// The features of the best depth-2 trees over coarse bins, at most one choice per root feature.
std::vector<FeatureChoice> choose_features(const Rows& rows, const std::vector<std::uint8_t>& wanted, std::size_t most,
                                           int threads, Stop& stop) {
    const Children children = survey(rows, FixedPoint{}, wanted, threads, stop);  // exact, so that ties are ties
    std::vector<BestRoot> best = best_root_per_feature(rows.layout, children);
    std::stable_sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    std::vector<FeatureChoice> chosen;
    for (const auto& [root, value, alone] : best) {
        if (value < 0.0 || chosen.size() == most) break;
        const auto [right, left] = child_features(children, rows.layout.place(root));
        const FeatureChoice choice{root.feature, left, right};
        // A stopped search may have found no children on one of the sides.
        if (std::max(choice.left, choice.right) < rows.features()) chosen.push_back(choice);
    }
    return chosen;
}

// Rewrites a split of the node's features and codes as one of all rows' features and bins.
void translate(Split& split, const std::vector<std::size_t>& features, const std::vector<Column>& columns) {
    if (split.node.feature < 0) return;
    const auto local = static_cast<std::size_t>(split.node.feature);
    split.node.feature = static_cast<std::int32_t>(features[local]);
    if (split.node.set_index < 0) split.node.last_bin = columns[local].last[split.node.last_bin];
}

// The rows with all bins of one feature, and with coarse bins of the others.
Rows with_one_fine_feature(const Rows& fine, std::size_t one, const Rows& coarse,
                           const std::vector<std::size_t>& features) {
    std::vector<std::int32_t> codes(features.size() * fine.size());
    Layout layout;
    for (std::size_t k = 0; k < features.size(); ++k) {
        const Rows& rows = k == one ? fine : coarse;
        const std::size_t f = k == one ? k : features[k];
        layout.add(rows.layout[f]);
        rows.with_codes([&](const auto* code) { std::copy_n(code, rows.size(), &codes[k * rows.size()]); }, f);
    }
    return Rows(std::move(layout), fine.weight, std::move(codes));
}

// The tree of three features whose root has the best threshold above coarse children, and whose children then have the
// best thresholds below this root.
TwoLevels refine(NodeColumns& node, const Rows& coarse, const FeatureChoice& choice) {
    std::vector<std::size_t> features{choice.root, choice.left, choice.right};
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
    std::vector<Column> columns;
    const Rows fine = node.rows_of<std::int32_t>(features, no_limit, columns);
    const auto local = std::lower_bound(features.begin(), features.end(), choice.root) - features.begin();
    const auto root = static_cast<std::size_t>(local);
    const Rows rows = with_one_fine_feature(fine, root, coarse, features);
    std::vector<std::uint8_t> wanted(features.size(), 0);
    wanted[root] = 1;
    Stop never([] { return false; });
    const Children children = survey(rows, FixedPoint{}, wanted, 1, never);
    const Root best = best_root_per_feature(rows.layout, children)[root].root;
    TwoLevels tree = grow(fine, best, {child_features(children, rows.layout.place(best))});
    for (Split* split : {&tree.root, &tree.left.split, &tree.right.split}) translate(*split, features, columns);
    return tree;
}

}  // namespace

std::vector<TwoLevels> search_node(const Rows& all, const RowNumbers& rows, std::shared_ptr<const PairMask> mask,
                                   std::size_t most, int threads, Stop& stop) {
    NodeColumns node(all, rows);
    double sum = 0.0, mass = 0.0;
    for (double u : node.weight()) {
        sum += u;
        mass += std::fabs(u);
    }
    std::vector<TwoLevels> trees;
    if (std::fabs(sum) == mass) return trees;  // a leaf is right about all rows
    std::vector<std::size_t> features(all.features());
    std::iota(features.begin(), features.end(), std::size_t{0});
    std::vector<Column> columns;
    Rows coarse = node.rows_of<std::uint8_t>(features, coarse_bins, columns);
    coarse.layout.restrict(std::move(mask));
    for (const FeatureChoice& choice :
         choose_features(coarse, features_of_largest_gain(columns, coarse.layout), most, threads, stop)) {
        TwoLevels tree = refine(node, coarse, choice);
        if (tree.value() > std::fabs(sum)) trees.push_back(tree);
    }
    std::stable_sort(trees.begin(), trees.end(), [](const auto& a, const auto& b) { return a.value() > b.value(); });
    return trees;
}

std::array<RowNumbers, 2> partition(const Rows& all, const RowNumbers& rows, const Split& split) {
    const auto f = static_cast<std::size_t>(split.node.feature);
    const auto missing = static_cast<std::int32_t>(all.layout[f].bins);
    std::array<RowNumbers, 2> sides;
    const auto send = [&](const auto* codes) {
        for (std::uint32_t i : rows) sides[split.sends_left(codes[i], missing)].push_back(i);
    };
    all.with_codes(send, f);
    return sides;
}

}  // namespace frankboost
