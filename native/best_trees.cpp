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
// All sums are in an order fixed by the data alone: the same answer for every number of threads. Of trees that pay the
// same, the first is the one whose root pays most by itself, so that a stump comes before trees that do no better;
// other ties are broken by position.
#include <map>
#include <numeric>
#include <set>

#include "growing.hpp"

namespace frankboost {
namespace {

// The roots that pay at least so much.
std::vector<Root> contenders(const Rows& rows, const Children& children, double least) {
    std::vector<Root> roots;
    for (std::size_t f = 0; f < rows.features(); ++f) {
        std::vector<double> filled;  // rows by bin
        rows.layout.for_each_root(f, [&](const Root& root) {
            if (children.value(rows.layout.place(root)) < least) return;
            if (filled.empty()) filled = histogram(rows, f, [](double) { return 1.0; });
            // A bin without rows gives the same split as the one before it.
            const bool same = filled[root.number] == 0.0 && root.number > 0 &&
                              (rows.layout.ordered(root) || rows.layout[f].sign == 0);
            if (rows.layout[f].categorical || !same) roots.push_back(root);
        });
    }
    return roots;
}

// Where pairs are many, tables of half the size pay with more rows, too: they stay in the first cache. Parts of the
// rows (table_survey.hpp) would rather add up their tables, unless that is most of the work.
constexpr std::size_t many_features = 32, few_rows = 65536;

// What a survey leaves: the children of every root and, where rounding leaves a doubt about the best of all, the roots
// among which it is.
struct Surveyed {
    Children children;
    std::vector<Root> finalists;
};

Surveyed survey_all(const Rows& rows, int threads, Stop& stop) {
    constexpr std::size_t few = 8;  // roots that are sooner evaluated one by one than surveyed again
    const FixedPoint fixed = worth_fixing(rows.layout, rows.size()) ? fixed_point(rows, threads) : FixedPoint{};
    const std::vector<std::uint8_t> all(rows.features(), 1);
    Surveyed found{survey(rows, fixed, all, threads, stop), {}};
    if (fixed.slack == 0.0 || stop.said()) return found;
    double top = -1.0;
    for (const BestRoot& root : best_of_each(rows.layout, found.children)) top = std::max(top, root.value);
    found.finalists = contenders(rows, found.children, top - 2.0 * fixed.slack);
    if (found.finalists.size() <= few) return found;
    std::vector<std::uint8_t> wanted(rows.features(), 0);
    for (const Root& root : found.finalists) wanted[root.feature] = 1;
    const Children exact = survey(rows, FixedPoint{}, wanted, threads, stop);
    for (std::size_t f = 0; f < rows.features(); ++f)
        if (wanted[f]) found.children.replace(exact, rows.layout.begin(f), rows.layout.begin(f + 1));
    found.finalists.clear();
    return found;
}

// The tree of each finalist, then those of the leading roots.
std::vector<TwoLevels> grow_all(const Rows& rows, const Surveyed& found, std::size_t columns, int threads) {
    const auto& [children, finalists] = found;
    struct Job {
        Root root;
        std::vector<ChildFeatures> tried;
    };
    std::vector<Job> jobs;
    for (const Root& root : finalists) {
        Job& job = jobs.emplace_back(Job{root, {}});
        for (std::size_t g = 0; g < rows.features(); ++g)
            if (rows.layout.together(root.feature, g)) job.tried.push_back({g, g});
    }
    const auto sums = [&](std::size_t f) { return histogram(rows, f, signed_weight); };
    const std::vector<BestRoot> order = leading_roots(rows.layout, children, columns, sums);
    for (const BestRoot& root : order)
        jobs.push_back({root.root, {child_features(children, rows.layout.place(root.root))}});
    std::vector<TwoLevels> grown(jobs.size());
    const std::size_t passes = 2 * order.size() + 2 * finalists.size() * rows.features();
    const int workers = threads_worth(2.0 * static_cast<double>(rows.size() * passes), threads);
    parallel_for(jobs.size(), workers,
                 [&](std::size_t job, std::size_t) { grown[job] = grow(rows, jobs[job].root, jobs[job].tried); });
    return grown;
}

// What a root pays without children.
double pay_alone(const Split& root, const std::vector<double>& sums) {
    const auto missing = static_cast<std::int32_t>(sums.size() - 1);
    double sides[2] = {0.0, 0.0};
    for (std::int32_t code = 0; code <= missing; ++code) sides[root.sends_left(code, missing)] += sums[code];
    return std::fabs(sides[0]) + std::fabs(sides[1]);
}

// All roots with what they pay and, where several pay most, with what those pay without children.
class Ties {
    const Layout& layout_;
    const Children& children_;
    const Sums& sums_;
    double top_ = -1.0;
    bool tied_ = false;

  public:
    Ties(const Layout& layout, const Children& children, const Sums& sums)
        : layout_(layout), children_(children), sums_(sums) {
        for (std::size_t f = 0; f < layout.features(); ++f)
            layout.for_each_root(f, [&](const Root& root) {
                const double value = children.value(layout.place(root));
                tied_ = value == top_ || (tied_ && value < top_);
                top_ = std::max(top_, value);
            });
    }
    template <class Visit>
    void for_each_root(std::size_t f, Visit&& visit) const {
        std::vector<double> sums;
        layout_.for_each_root(f, [&](const Root& root) {
            const double value = children_.value(layout_.place(root));
            const bool tied = tied_ && value == top_;
            if (tied && sums.empty()) sums = sums_(f);
            visit(BestRoot{root, value, tied ? pay_alone(split_of(layout_, root), sums) : 0.0});
        });
    }
};

}  // namespace

bool worth_fixing(const Layout& layout, std::size_t rows) {
    double bins = 0.0;
    for (std::size_t f = 0; f < layout.features(); ++f)
        bins += static_cast<double>(std::min(layout[f].bins, most_bins));
    const double mean = bins / static_cast<double>(layout.features());
    const std::size_t few = layout.features() < many_features ? 0 : few_rows;
    return rows > 0 && static_cast<double>(rows) < std::max(0.5 * mean * mean, static_cast<double>(few));
}

std::vector<BestRoot> best_of_each(const Layout& layout, const Children& children) {
    std::vector<BestRoot> best(layout.features());
    for (std::size_t f = 0; f < layout.features(); ++f)
        layout.for_each_root(f, [&](const Root& root) {
            const double value = children.value(layout.place(root));
            if (value > best[f].value) best[f] = {root, value};
        });
    return best;
}

ChildFeatures child_features(const Children& children, std::size_t at) {
    if (children.has_both(at)) {
        const auto g = static_cast<std::size_t>(children.both[at].feature);
        return {g, g};
    }
    return {static_cast<std::size_t>(children.right[at].feature), static_cast<std::size_t>(children.left[at].feature)};
}

bool few_features(const Layout& layout, std::size_t columns) {
    std::size_t split = 0;
    for (std::size_t f = 0; f < layout.features(); ++f) split += layout[f].splits();
    return split < columns;
}

std::vector<BestRoot> leading_roots(const Layout& layout, const Children& children, std::size_t columns,
                                    const Sums& sums) {
    const Ties ties(layout, children, sums);
    std::vector<BestRoot> leading;
    if (few_features(layout, columns)) {
        std::map<std::pair<std::size_t, ChildFeatures>, BestRoot> kinds;
        for (std::size_t f = 0; f < layout.features(); ++f)
            ties.for_each_root(f, [&](const BestRoot& root) {
                kinds[{f, child_features(children, layout.place(root.root))}].offer(root);
            });
        for (const auto& kind : kinds) leading.push_back(kind.second);
    } else {
        for (std::size_t f = 0; f < layout.features(); ++f) {
            leading.emplace_back();
            ties.for_each_root(f, [&](const BestRoot& root) { leading.back().offer(root); });
        }
    }
    std::stable_sort(leading.begin(), leading.end(), [](const auto& a, const auto& b) { return a.leads(b); });
    while (!leading.empty() && (leading.size() > columns || leading.back().value < 0.0)) leading.pop_back();
    return leading;
}

Trees in_order(std::vector<TwoLevels> grown, double total, std::size_t columns, const Layout& layout) {
    std::stable_sort(grown.begin(), grown.end(), [](const auto& a, const auto& b) { return a.leads(b); });
    const bool few = few_features(layout, columns);
    std::set<std::array<std::int32_t, 3>> taken;
    Trees trees;
    for (const auto& tree : grown) {
        if (trees.roots.size() == columns) break;
        const auto below = [&](const Stump& stump) { return few ? stump.split.node.feature : 0; };
        if (!taken.insert({tree.root.node.feature, below(tree.left), below(tree.right)}).second) continue;
        Growing whole(total);
        whole.split(0, tree);
        trees.roots.push_back(static_cast<std::int64_t>(trees.nodes.size()));
        add_depth_first(whole, 0, trees);
    }
    return trees;
}

Trees best_trees(const Features& data, const double* u, std::size_t columns, int threads, Stop& stop) {
    const Rows rows(data, u);
    return in_order(grow_all(rows, survey_all(rows, threads, stop), columns, threads),
                    std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0), columns, rows.layout);
}

Trees trees_below(const Rows& rows, Children children, std::size_t columns, int threads) {
    return in_order(grow_all(rows, {std::move(children), {}}, columns, threads),
                    std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0), columns, rows.layout);
}

}  // namespace frankboost
