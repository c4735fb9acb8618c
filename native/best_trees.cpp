// The depth-2 trees of largest edge, exactly.
//
// With u_i = d_i y_i a leaf pays |sum of u| over its rows. A stump over rows with sum S that sends a set with sum P
// to the left pays |P| + |S - P| = max(|S|, |2P - S|), so of all prefixes along a feature only the largest and the
// smallest matter. A depth-2 tree pays the best stump left of its root split plus the best stump right of it;
// survey.cpp has both for every root.
//
// A survey in fixed point is faster. What rounding did to the weights bounds what it did to every tree, so it leaves a
// few roots among which the best must be, and these are evaluated again in double precision.
//
// All sums are in an order fixed by the data alone, and ties are broken by position: the same answer for every number
// of threads.
#include <algorithm>
#include <numeric>

#include "parallel.hpp"
#include "survey.hpp"

namespace frankboost {
namespace {

// Whether scanning tables is most of the work. With many rows scattering is, which fixed point does not speed up, and
// rounding adds up.
template <class Code>
bool worth_fixing(const Rows<Code>& rows) {
    double bins = 0.0;
    for (std::size_t f = 0; f < rows.features(); ++f)
        bins += static_cast<double>(std::min(rows.layout[f].bins, most_bins));
    const double mean = bins / static_cast<double>(rows.features());
    return rows.size() > 0 && static_cast<double>(rows.size()) < 0.5 * mean * mean;
}

// The roots that pay at least so much.
template <class Code>
std::vector<Root> contenders(const Rows<Code>& rows, const Children& children, double least) {
    std::vector<Root> roots;
    for (std::size_t f = 0; f < rows.features(); ++f) {
        std::vector<std::uint8_t> filled;
        for_each_root(rows.layout[f], f, [&](const Root& root) {
            if (children.value(rows.layout.place(f, root.number, root.variant)) < least) return;
            if (filled.empty()) {
                filled.assign(rows.layout[f].bins + 1, 0);
                for (std::size_t i = 0; i < rows.size(); ++i) filled[rows.codes[f][i]] = 1;
            }
            // A bin without rows gives the same split as the one before it.
            if (rows.layout[f].categorical || filled[root.number] || root.number == 0) roots.push_back(root);
        });
    }
    return roots;
}

// The exact values of all roots on the features of these.
template <class Code>
void survey_again(const Rows<Code>& rows, const std::vector<Root>& roots, Children& children, int threads) {
    std::vector<std::uint8_t> wanted(rows.features(), 0);
    for (const Root& root : roots) wanted[root.feature] = 1;
    const Children exact = survey(rows, FixedPoint{}, wanted, threads);
    for (std::size_t f = 0; f < rows.features(); ++f)
        if (wanted[f]) children.replace(exact, rows.layout.begin(f), rows.layout.begin(f + 1));
}

// What a survey leaves: the best root of each feature and its children and, where rounding leaves a doubt about the
// best of all, the roots among which it is.
struct Surveyed {
    Children children;
    std::vector<BestRoot> best;
    std::vector<Root> finalists;
};

template <class Code>
Surveyed survey_all(const Rows<Code>& rows, int threads) {
    constexpr std::size_t few = 8;  // roots that are sooner evaluated one by one than surveyed again
    const FixedPoint fixed = worth_fixing(rows) ? fixed_point(rows, threads) : FixedPoint{};
    const std::vector<std::uint8_t> all(rows.features(), 1);
    Surveyed found{survey(rows, fixed, all, threads), {}, {}};
    found.best = best_of_each(rows.layout, found.children);
    if (fixed.slack == 0.0) return found;
    double top = -1.0;
    for (const BestRoot& root : found.best) top = std::max(top, root.value);
    found.finalists = contenders(rows, found.children, top - 2.0 * fixed.slack);
    if (found.finalists.size() > few) {
        survey_again(rows, found.finalists, found.children, threads);
        found.best = best_of_each(rows.layout, found.children);
        found.finalists.clear();
    }
    return found;
}

// The tree of each finalist, then those of the features whose best roots pay most.
template <class Code>
std::vector<TwoLevels> grow_all(const Rows<Code>& rows, const Surveyed& found, std::size_t columns, int threads) {
    const std::vector<BestRoot>& best = found.best;
    const std::vector<Root>& finalists = found.finalists;
    std::vector<std::size_t> order(rows.features());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto f, auto g) { return best[f].value > best[g].value; });
    order.resize(std::min(columns, order.size()));
    std::vector<TwoLevels> grown(finalists.size() + order.size());
    const std::size_t passes = 2 * order.size() + 2 * finalists.size() * rows.features();
    const int workers = threads_worth(2.0 * static_cast<double>(rows.size() * passes), threads);
    parallel_for(grown.size(), workers, [&](std::size_t job, std::size_t) {
        if (job < finalists.size()) {
            grown[job] = grow_best(rows, finalists[job]);
            return;
        }
        const auto& [root, value] = best[order[job - finalists.size()]];
        if (value < 0.0) return;  // a feature of one value has no split
        const std::size_t at = rows.layout.place(root.feature, root.number, root.variant);
        grown[job] = grow(rows, root, static_cast<std::size_t>(found.children.left.feature(at)),
                          static_cast<std::size_t>(found.children.right.feature(at)));
    });
    return grown;
}

double sign_of(double sum, double otherwise) { return sum > 0.0 ? 1.0 : sum < 0.0 ? -1.0 : otherwise; }

// Trees node by node, parents before their children.
class Writer {
    Trees trees_;

    // Where the next node comes to lie in its tree.
    std::int32_t place() const {
        return static_cast<std::int32_t>(static_cast<std::int64_t>(trees_.nodes.size()) - trees_.roots.back());
    }
    std::int32_t add(const Node& node) {
        const std::int32_t at = place();
        trees_.nodes.push_back(node);
        return at;
    }
    std::int32_t add_leaf(double value) {
        Node leaf;
        leaf.value = value;
        return add(leaf);
    }
    // A leaf votes as the sum of u in it; one without weight as its parent would, and so on up.
    std::int32_t add_stump(const Stump& stump, double parent) {
        const double own = sign_of(stump.left + stump.right, parent);
        if (stump.split.bin < 0) return add_leaf(own);
        const std::int32_t at = add(node_of(stump.split, trees_.sets));
        const std::int32_t left = add_leaf(sign_of(stump.left, own)), right = add_leaf(sign_of(stump.right, own));
        link(at, left, right);
        return at;
    }
    void link(std::int32_t at, std::int32_t left, std::int32_t right) {
        Node& node = trees_.nodes[static_cast<std::size_t>(trees_.roots.back() + at)];
        node.left = left;
        node.right = right;
    }

  public:
    void add_tree(const TwoLevels& tree, double sign) {
        trees_.roots.push_back(static_cast<std::int64_t>(trees_.nodes.size()));
        const std::int32_t root = add(node_of(tree.root, trees_.sets));
        const std::int32_t left = add_stump(tree.left, sign), right = add_stump(tree.right, sign);
        link(root, left, right);
    }
    std::size_t size() const { return trees_.roots.size(); }
    Trees done() { return std::move(trees_); }
};

}  // namespace

template <class Code>
Trees best_trees(const Features<Code>& data, const double* u, std::size_t columns, int threads) {
    const Rows<Code> rows(data, u);
    std::vector<TwoLevels> grown = grow_all(rows, survey_all(rows, threads), columns, threads);
    // The best of the finalists stands for its root feature; then one tree for each other feature, best first.
    std::stable_sort(grown.begin(), grown.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    const double sign = sign_of(std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0), 1.0);
    std::vector<std::uint8_t> taken(data.features, 0);
    Writer writer;
    for (const auto& tree : grown) {
        if (tree.root.bin < 0 || writer.size() == columns) continue;
        auto& known = taken[static_cast<std::size_t>(tree.root.feature)];
        if (!known) writer.add_tree(tree, sign);
        known = 1;
    }
    return writer.done();
}

template Trees best_trees(const Features<std::uint8_t>&, const double*, std::size_t, int);
template Trees best_trees(const Features<std::int32_t>&, const double*, std::size_t, int);

}  // namespace frankboost
