// Computes trees over few bins, and from them upper bounds for the roots on all thresholds. Two facts make it exact.
// Moving rows of weight W from one side of a split to the other changes what either side pays by at most W, so that the
// best children of coarse roots bound those of the roots between them. And a child's threshold between two coarse ones,
// with rows of weight W between these, pays at most W more than the better of the two: a stump pays |2 P - S| with the
// prefix sum P and the total S of a side, and 2 P is within W of the sum of its values at the two coarse thresholds.
// Reference: tests/learners/test_fine_trees.py compares with a search over all pairs.
#include "coarse_bins.hpp"

#include <numeric>

#include "growing.hpp"
#include "pair_survey.hpp"

namespace frankboost {
namespace {

constexpr int most_turns = 2;  // of improving the children and then the root

std::vector<std::size_t> count_up(std::size_t count) {
    std::vector<std::size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

// The rows with at most `bins` bins per feature, of about the same weight each.
Rows with_coarse_bins(const Rows& all, std::size_t bins, std::vector<Column>& columns) {
    RowNumbers numbers(all.size());
    std::iota(numbers.begin(), numbers.end(), std::uint32_t{0});
    return NodeColumns(all, numbers).rows_of<std::uint8_t>(count_up(all.features()), bins, columns);
}

FixedPoint fixed_if_worth(const Rows& rows, int threads) {
    return worth_fixing(rows.layout, rows.size()) ? fixed_point(rows, threads) : FixedPoint{};
}

Children all_children(Rows& rows, std::shared_ptr<const PairMask> mask, const FixedPoint& fixed, int threads,
                      Stop& stop) {
    rows.layout.restrict(std::move(mask));
    return survey(rows, fixed, std::vector<std::uint8_t>(rows.features(), 1), threads, stop);
}

// The vote of a stump for each code of its feature, missing values last.
std::vector<double> votes_by_code(const Stump& stump, std::size_t bins) {
    const double left = sign_of(stump.left, 1.0), right = sign_of(stump.right, left);
    if (stump.split.node.feature < 0) return std::vector<double>(bins + 1, left);
    std::vector<double> votes(bins + 1);
    const std::vector<std::uint8_t> goes = stump.split.sent_left(bins);
    for (std::size_t code = 0; code <= bins; ++code) votes[code] = goes[code] ? left : right;
    return votes;
}

// The root on the same feature of numbers that pays most above the given children of a tree.
Root best_root(const Rows& rows, const TwoLevels& tree) {
    const auto f = static_cast<std::size_t>(tree.root.node.feature);
    const auto child = [&](const Stump& stump) {
        return static_cast<std::size_t>(std::max(stump.split.node.feature, std::int32_t{0}));
    };
    const std::size_t left = child(tree.left), right = child(tree.right);
    const std::vector<double> left_vote = votes_by_code(tree.left, rows.layout[left].bins);
    const std::vector<double> right_vote = votes_by_code(tree.right, rows.layout[right].bins);
    const FeatureKind& kind = rows.layout[f];
    std::vector<double> gain(kind.bins + 1, 0.0);  // what the rows of a bin gain by going left
    const auto add = [&](const auto* code, const auto* left_code, const auto* right_code) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            gain[code[i]] += rows.weight[i] * (left_vote[left_code[i]] - right_vote[right_code[i]]);
    };
    rows.with_codes(add, f, left, right);
    Root best{f, static_cast<std::size_t>(tree.root.node.last_bin), tree.root.node.missing_left ? 1u : 0u};
    double most = -infinity;
    for (std::size_t variant = 0; variant < kind.variants; ++variant) {
        double sum = variant == 1 ? gain.back() : 0.0;
        for (std::size_t t = 0; t + 1 < kind.bins; ++t) {
            sum += gain[t];
            if (sum <= most) continue;
            most = sum;
            best = {f, t, variant};
        }
    }
    return best;
}

// The tree of a root and the features of its children, with thresholds improved in turns over all bins.
TwoLevels refine_thresholds(const Rows& rows, Root root, const ChildFeatures& g) {
    TwoLevels tree = grow(rows, root, {g});
    for (int turn = 0; turn < most_turns && !rows.layout[root.feature].categorical; ++turn) {
        const Root better = best_root(rows, tree);
        if (better.number == root.number && better.variant == root.variant) break;
        TwoLevels next = grow(rows, better, {g});
        if (next.value() <= tree.value()) break;
        tree = std::move(next);
        root = better;
    }
    return tree;
}

// The largest weight of the rows between two neighbouring coarse thresholds that have other thresholds between them.
double largest_weight_between(const Column& column, const std::vector<double>& weight) {
    double most = 0.0;
    std::size_t begin = 0;
    for (const std::int32_t last : column.last) {
        const auto end = static_cast<std::size_t>(last) + 1;
        double here = 0.0;
        std::size_t filled = 0;
        for (; begin < end; ++begin) {
            here += weight[begin];
            filled += weight[begin] > 0.0;
        }
        if (filled > 1) most = std::max(most, here);
    }
    return most;
}

}  // namespace

CoarseBins::CoarseBins(const Rows& all, std::shared_ptr<const PairMask> mask, std::size_t bins, int threads, Stop& stop)
    : rows_(with_coarse_bins(all, bins, columns_)), fixed_(fixed_if_worth(rows_, threads)),
      children_(all_children(rows_, std::move(mask), fixed_, threads, stop)) {
    for (std::size_t f = 0; f < all.features(); ++f) {
        weight_.push_back(histogram(all, f, mass));
        // No stump sends missing values left and all numbers right, so that with missing values a threshold below the
        // first coarse one has one coarse neighbour, not two.
        const double sides = rows_.layout[f].missing ? 2.0 : 1.0;
        slack_.push_back(fixed_.slack + 0x1p-44 +
                         (all.layout[f].categorical ? 0.0 : sides * largest_weight_between(columns_[f], weight_[f])));
    }
}

Root CoarseBins::fine_root(const Root& root) const {
    if (rows_.layout[root.feature].categorical) return root;
    return {root.feature, static_cast<std::size_t>(columns_[root.feature].last[root.number]), root.variant};
}

std::vector<TwoLevels> CoarseBins::trees(const Rows& all, std::size_t columns, int threads) const {
    const auto sums = [&](std::size_t f) { return histogram(rows_, f, signed_weight); };
    const std::vector<BestRoot> roots = best_roots(rows_.layout, children_, columns, sums);
    std::vector<TwoLevels> found(roots.size());
    const int workers = threads_worth(20.0 * static_cast<double>(all.size() * roots.size()), threads);
    parallel_for(roots.size(), workers, [&](std::size_t k, std::size_t) {
        found[k] = refine_thresholds(all, fine_root(roots[k].root),
                                     child_features(children_, rows_.layout.place(roots[k].root)));
    });
    return found;
}

// Bounds each side of the roots on f: the value of a coarse root on either side of it, plus the weight between the two.
void CoarseBins::bound_roots(const Layout& all, std::size_t f, const Children& children, double slack,
                             SideBounds& bounds) const {
    const Layout& coarse = rows_.layout;
    if (all[f].categorical) {
        all.for_each_root(f, [&](const Root& root) {
            const std::size_t at = coarse.place(root), to = all.place(root);
            bounds.left[to] = children.left[at].value + slack;
            bounds.right[to] = children.right[at].value + slack;
        });
        return;
    }
    const std::vector<double>& weight = weight_[f];
    const std::vector<std::int32_t>& last = columns_[f].last;
    const std::size_t cuts = all[f].bins - 1;
    for (std::size_t variant = 0; variant < all[f].variants; ++variant) {
        const std::size_t same = std::min(variant, coarse[f].variants - 1), first = all.place({f, 0, variant});
        const double absent = weight[cuts + 1];
        double below[2] = {variant == 1 ? absent : 0.0, infinity};  // left and right side of the coarse root below
        std::size_t t = 0;
        for (std::size_t k = 0; k < last.size(); ++k) {
            const bool is_root = k + 1 < last.size();
            const std::size_t at = is_root ? coarse.place({f, k, same}) : 0;
            const double above[2] = {is_root ? children.left[at].value : infinity, is_root ? children.right[at].value
                                                                                   : variant == 1 ? 0.0
                                                                                                  : absent};
            const std::size_t end = is_root ? static_cast<std::size_t>(last[k]) + 1 : cuts;
            double before = 0.0, after = is_root ? 0.0 : weight[cuts];
            for (std::size_t b = t; b < end; ++b) after += weight[b];
            for (; t < end; ++t) {
                before += weight[t];
                after -= weight[t];
                bounds.left[first + t] = std::min(below[0] + before, above[0] + after) + slack;
                bounds.right[first + t] = std::min(below[1] + before, above[1] + after) + slack;
            }
            std::copy(above, above + 2, below);
        }
    }
}

SideBounds CoarseBins::bounds(const Rows& all) const {
    const std::size_t roots = all.layout.size();
    SideBounds found{std::vector<double>(roots, -infinity), std::vector<double>(roots, -infinity)};
    const double slack = *std::max_element(slack_.begin(), slack_.end());
    for (std::size_t f = 0; f < all.features(); ++f)
        if (all.layout[f].splits()) bound_roots(all.layout, f, children_, slack, found);
    return found;
}

void CoarseBins::bounds(const Rows& all, std::size_t f, std::size_t g, SideBounds& bounds) const {
    Workspace space{Children(rows_.layout)};
    PairSurvey(rows_, fixed_).search(f, g, space);
    bound_roots(all.layout, f, space.children, slack_[g], bounds);
    bound_roots(all.layout, g, space.children, slack_[f], bounds);
}

}  // namespace frankboost
