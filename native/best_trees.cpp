// Computes the depth-2 trees of largest edge, exactly. Reference: best_edge of tests/reference.py, by brute force.
//
// With u_i = d_i y_i a leaf adds |sum of u| over its rows to the edge: it "pays" that. A stump over rows with sum S
// that sends a set with sum P to the left pays |P| + |S - P| = max(|S|, |2P - S|), so that of all prefixes along a
// feature only the largest and the smallest matter. A depth-2 tree pays the best stump left of its root split plus the
// best stump right of it; survey.cpp computes both for every root.
//
// A survey in fixed point is faster. The total rounding error of the weights bounds the error of every tree, so that
// few roots are left among which the best one must be. These are evaluated again in double precision.
//
// The data alone determine the order of every sum, so that the trees do not depend on the number of threads. Of trees
// that pay the same, the one whose root alone pays most comes first, so that a stump comes before trees that are no
// better; other ties are broken by position.
#include <map>
#include <numeric>
#include <set>

#include "growing.hpp"

namespace frankboost {
namespace {

// The roots that pay at least `least`, without those that split the rows as another one does.
std::vector<Root> roots_paying(const Rows& rows, const Children& children, double least) {
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

// With many pairs of features fixed point is worth it for more rows, as its tables of half the size stay in the first
// cache. If the rows are in parts (table_survey.hpp), which decide by the same rule, the parts then send their rows.
constexpr std::size_t many_features = 32, few_rows = 65536;

// The result of a survey: the children of every root and, if the rounding of fixed point leaves a doubt, the roots
// among which the best one is.
struct SurveyResult {
    Children children;
    std::vector<Root> finalists;
};

SurveyResult survey_all(const Rows& rows, int threads, Stop& stop) {
    constexpr std::size_t few = 8;  // up to so many roots, evaluating each is faster than another survey
    const FixedPoint fixed = worth_fixing(rows.layout, rows.size()) ? fixed_point(rows, threads) : FixedPoint{};
    const std::vector<std::uint8_t> all(rows.features(), 1);
    SurveyResult found{survey(rows, fixed, all, threads, stop), {}};
    if (fixed.slack == 0.0 || stop.requested()) return found;
    double top = -1.0;
    for (const BestRoot& root : best_root_per_feature(rows.layout, found.children)) top = std::max(top, root.value);
    found.finalists = roots_paying(rows, found.children, top - 2.0 * fixed.slack);
    if (found.finalists.size() <= few) return found;
    std::vector<std::uint8_t> wanted(rows.features(), 0);
    for (const Root& root : found.finalists) wanted[root.feature] = 1;
    const Children exact = survey(rows, FixedPoint{}, wanted, threads, stop);
    for (std::size_t f = 0; f < rows.features(); ++f)
        if (wanted[f]) found.children.replace(exact, rows.layout.begin(f), rows.layout.begin(f + 1));
    found.finalists.clear();
    return found;
}

// The trees of all finalists, then those of the best roots.
std::vector<TwoLevels> grow_all(const Rows& rows, const SurveyResult& found, std::size_t columns, int threads) {
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
    const std::vector<BestRoot> order = best_roots(rows.layout, children, columns, sums);
    for (const BestRoot& root : order)
        jobs.push_back({root.root, {child_features(children, rows.layout.place(root.root))}});
    std::vector<TwoLevels> grown(jobs.size());
    const std::size_t passes = 2 * order.size() + 2 * finalists.size() * rows.features();
    const int workers = threads_worth(2.0 * static_cast<double>(rows.size() * passes), threads);
    parallel_for(jobs.size(), workers,
                 [&](std::size_t job, std::size_t) { grown[job] = grow(rows, jobs[job].root, jobs[job].tried); });
    return grown;
}

// What a root pays if its children are leaves.
double pay_alone(const Split& root, const std::vector<double>& sums) {
    const auto missing = static_cast<std::int32_t>(sums.size() - 1);
    double sides[2] = {0.0, 0.0};
    for (std::int32_t code = 0; code <= missing; ++code) sides[root.sends_left(code, missing)] += sums[code];
    return std::fabs(sides[0]) + std::fabs(sides[1]);
}

// The values of all roots. If several roots share the largest value, it also finds what these pay without children.
class RootValues {
    const Layout& layout_;
    const Children& children_;
    const Sums& sums_;
    double top_ = -1.0;
    bool tied_ = false;

  public:
    RootValues(const Layout& layout, const Children& children, const Sums& sums)
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

std::vector<BestRoot> best_root_per_feature(const Layout& layout, const Children& children) {
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

std::vector<BestRoot> best_roots(const Layout& layout, const Children& children, std::size_t columns,
                                 const Sums& sums) {
    const RootValues values(layout, children, sums);
    std::vector<BestRoot> leading;
    if (few_features(layout, columns)) {
        std::map<std::pair<std::size_t, ChildFeatures>, BestRoot> kinds;
        for (std::size_t f = 0; f < layout.features(); ++f)
            values.for_each_root(f, [&](const BestRoot& root) {
                kinds[{f, child_features(children, layout.place(root.root))}].offer(root);
            });
        for (const auto& kind : kinds) leading.push_back(kind.second);
    } else {
        for (std::size_t f = 0; f < layout.features(); ++f) {
            leading.emplace_back();
            values.for_each_root(f, [&](const BestRoot& root) { leading.back().offer(root); });
        }
    }
    std::stable_sort(leading.begin(), leading.end(), [](const auto& a, const auto& b) { return a.comes_before(b); });
    while (!leading.empty() && (leading.size() > columns || leading.back().value < 0.0)) leading.pop_back();
    return leading;
}

Trees best_first(std::vector<TwoLevels> grown, double total, std::size_t columns, const Layout& layout) {
    std::stable_sort(grown.begin(), grown.end(), [](const auto& a, const auto& b) { return a.comes_before(b); });
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
    return best_first(grow_all(rows, survey_all(rows, threads, stop), columns, threads),
                      std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0), columns, rows.layout);
}

Trees trees_below(const Rows& rows, Children children, std::size_t columns, int threads) {
    return best_first(grow_all(rows, {std::move(children), {}}, columns, threads),
                      std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0), columns, rows.layout);
}

}  // namespace frankboost
