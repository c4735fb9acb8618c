// Computes depth-2 trees, with a bound, of very many features. It searches every pair of features in fixed point over
// the heavy rows only (wide_rows.hpp), which bounds what the pair's trees pay, and searches a pair exactly only if its
// bound is too large. Reference: the search over all pairs, in tests/learners/test_wide_trees.py.
//
// For each root there are allowances (wide_allowances.hpp): amounts that the children left and right of it may pay,
// whose sum is what a tree may pay. A pair of features that keeps to the allowances has no better tree; other pairs are
// searched exactly. If a child exceeds the allowance of one side, that of the other side is lowered, and all pairs of
// the root are compared again.
#include "wide_search.hpp"

#include <numeric>
#include <optional>

#include "pair_survey.hpp"
#include "survey.hpp"
#include "wide_allowances.hpp"
#include "wide_blocks.hpp"

namespace frankboost {
namespace {

constexpr std::size_t strong_stumps = 32;  // features of the best stumps, which each search tries first, with the hints
constexpr std::size_t tried_roots = 64;    // roots that are searched exactly with their best children so far
constexpr double light = 0.05;  // the rows that are left out weigh at most this share of the best stump's value

class WideSearch {
    const Rows rows_;
    const int threads_;
    Stop& stop_;
    const FixedPoint none_{};
    PairSurvey exact_;
    std::vector<Workspace> spaces_;  // the children found exactly, by worker
    std::vector<bool> searched_;     // whether a pair of features was searched exactly
    std::vector<double> stump_;      // what the best stump of each feature pays
    std::optional<WideBlocks> blocks_;
    double total_ = 0.0;

    const Layout& layout() const { return rows_.layout; }
    const Children& known() const { return spaces_[0].children; }
    int workers(double nanoseconds) const { return threads_worth(nanoseconds, threads_); }

    // Collects the children found by all workers.
    void merge() {
        for (std::size_t worker = 1; worker < spaces_.size(); ++worker) {
            spaces_[0].children.merge(spaces_[worker].children);
            spaces_[worker].children = Children(layout());
        }
    }

    void search_exactly(const std::vector<FeaturePair>& pairs, std::size_t worker) {
        for (std::size_t at = 0; at < pairs.size(); at += tables_at_once) {
            const auto from = pairs.begin() + static_cast<std::ptrdiff_t>(at);
            const auto count = static_cast<std::ptrdiff_t>(std::min(tables_at_once, pairs.size() - at));
            exact_.search({from, from + count}, spaces_[worker]);
        }
    }

    void search_stumps() {
        const std::size_t n = layout().features();
        stump_.assign(n, -1.0);
        const auto masses = [&](std::size_t f) { return histogram(rows_, f, mass); };
        parallel_for(n, workers(3.0 * static_cast<double>(n * rows_.size())), [&](std::size_t f, std::size_t worker) {
            if (!layout()[f].splits()) return;
            stump_[f] = best_stump(layout(), f, histogram(rows_, f, signed_weight), masses).pay();
            exact_.search(f, f, spaces_[worker]);
        });
        merge();
    }

    // The features to try first: the hints, and those of the best stumps.
    std::vector<std::size_t> promising_features(std::vector<std::size_t> hints) const {
        std::vector<std::size_t> order(stump_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](auto f, auto g) { return stump_[f] > stump_[g]; });
        order.resize(std::min(order.size(), strong_stumps));
        order.insert(order.end(), hints.begin(), hints.end());
        std::sort(order.begin(), order.end());
        order.erase(std::unique(order.begin(), order.end()), order.end());
        return order;
    }

    // The best children over the heavy rows of every root among some features; of roots on these, among all features.
    Children best_children_among(const std::vector<std::size_t>& features) {
        const std::vector<BlockPair> tasks = blocks_->pairs_with(features);
        std::vector<Children> found(spaces_.size(), Children(layout()));
        const auto work = [&](std::size_t task, std::size_t worker) {
            const auto offer = [&](std::size_t root, std::size_t number, std::size_t child, double left, double right) {
                found[worker].offer(layout().place({root, number, 0}), child, left, right);
            };
            blocks_->for_each_root(tasks[task], spaces_[worker].lanes, offer, [](std::size_t, std::size_t) {});
        };
        parallel_for(tasks.size(), threads_, work, stop_);
        for (std::size_t worker = 1; worker < found.size(); ++worker) found[0].merge(found[worker]);
        return std::move(found[0]);
    }

    // Searches the most promising roots exactly, with their best children so far.
    void try_roots(const Children& found) {
        std::vector<BestRoot> best = best_root_per_feature(layout(), found);
        std::stable_sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
        best.resize(std::min(best.size(), tried_roots));
        std::vector<FeaturePair> pairs;
        for (const auto& [root, value, alone] : best) {
            if (value <= 0.0) break;
            for (const auto* side : {&found.left, &found.right}) {
                const auto child = static_cast<std::size_t>((*side)[layout().place(root)].feature);
                if (child < layout().features()) pairs.push_back(std::minmax(root.feature, child));
            }
        }
        parallel_for(pairs.size(), threads_,
                     [&](std::size_t k, std::size_t worker) { search_exactly({pairs[k]}, worker); });
        merge();
    }

    // What the best tree found exactly pays.
    double best() const {
        double most = 0.0;
        for (const BestRoot& root : best_root_per_feature(layout(), known())) most = std::max(most, root.value);
        return most;
    }

    // Searches the pairs exactly that exceed an allowance.
    void search_where_exceeded(const std::vector<BlockPair>& tasks, const Allowances& allowed) {
        const std::size_t n = layout().features();
        std::vector<std::vector<FeaturePair>> searched(spaces_.size());
        const auto work = [&](std::size_t task, std::size_t worker) {
            std::vector<FeaturePair> beyond;
            bool keeps = true;
            const auto offer = [&](std::size_t root, std::size_t number, std::size_t, double pays_left,
                                   double pays_right) {
                const std::size_t at = layout().place({root, number, 0});
                keeps &= allowed.keeps(at, pays_left, pays_right);
            };
            const auto done = [&](std::size_t f, std::size_t g) {
                if (!keeps && !searched_[f * n + g]) beyond.push_back(std::minmax(f, g));
                keeps = true;
            };
            blocks_->for_each_root(tasks[task], spaces_[worker].lanes, offer, done);
            search_exactly(beyond, worker);
            searched[worker].insert(searched[worker].end(), beyond.begin(), beyond.end());
        };
        parallel_for(tasks.size(), threads_, work, stop_);
        for (const auto& pairs : searched)
            for (const auto& [f, g] : pairs) searched_[f * n + g] = searched_[g * n + f] = true;
        merge();
    }

    // Searches all pairs exactly of features with missing values, categories or very many bins.
    void search_other_features() {
        std::vector<std::size_t> others;
        for (std::size_t f = 0; f < layout().features(); ++f)
            if (layout()[f].splits() && !blocks_->heavy.plain(f)) others.push_back(f);
        const auto work = [&](std::size_t task, std::size_t worker) {
            std::vector<FeaturePair> pairs;
            for (std::size_t g = 0; g < layout().features(); ++g)
                if (layout()[g].splits() && g != others[task]) pairs.push_back(std::minmax(others[task], g));
            search_exactly(pairs, worker);
        };
        parallel_for(others.size(), threads_, work, stop_);
        merge();
    }

    // Searches all pairs, so that afterwards no tree pays `most` or more but those found exactly.
    void search_pairs(const Children& found, double most) {
        Allowances allowed(blocks_->heavy, found, most);
        search_other_features();
        search_where_exceeded(blocks_->pairs(), allowed);
        while (!stop_.requested()) {
            const std::vector<std::size_t> changed = allowed.lower_where_exceeded(blocks_->heavy, known(), most);
            if (changed.empty()) break;
            search_where_exceeded(blocks_->pairs_with(changed), allowed.restricted_to(layout(), changed));
        }
    }

  public:
    WideSearch(const Features& data, const double* u, int threads, Stop& stop)
        : rows_(data, u), threads_(std::max(threads, 1)), stop_(stop), exact_(rows_, none_),
          spaces_(static_cast<std::size_t>(threads_), Workspace{Children(rows_.layout)}),
          searched_(data.features * data.features, false) {
        for (double weight : rows_.weight) total_ += std::fabs(weight);
    }

    BoundedTrees run(const SearchGoal& goal, const std::vector<std::size_t>& hints, std::size_t columns) {
        search_stumps();
        blocks_.emplace(rows_, light * std::max(*std::max_element(stump_.begin(), stump_.end()), 0.0), threads_);
        const Children found = best_children_among(promising_features(hints));
        try_roots(found);
        double bound = total_;
        if (const double most = goal.cut(best()); std::min(goal.bound, total_) > most) {
            search_pairs(found, most);
            if (!stop_.requested()) bound = std::min(std::max(most, best()), total_);
        }
        return {trees_below(rows_, std::move(spaces_[0].children), columns, threads_), bound};
    }
};

}  // namespace

BoundedTrees wide_trees(const Features& data, const double* u, const SearchGoal& goal,
                        const std::vector<std::size_t>& hints, std::size_t columns, int threads, Stop& stop) {
    return WideSearch(data, u, threads, stop).run(goal, hints, columns);
}

}  // namespace frankboost
