// Every pair of features is looked at in fixed point over the heavy rows (wide_rows.hpp), which bounds what its trees
// pay, and closely only if that is not enough.
//
// For each root we allow the children left and right of it to pay some amounts, whose sum is what a tree may pay. A
// pair of features that keeps to what is allowed has no better tree; the others are looked at closely. Where a child
// pays more than was allowed on one side, less is allowed on the other, and the root's pairs are looked at again.
#include "wide_search.hpp"

#include <numeric>
#include <optional>

#include "pair_survey.hpp"
#include "survey.hpp"
#include "wide_allowed.hpp"
#include "wide_blocks.hpp"

namespace frankboost {
namespace {

constexpr std::size_t strong_stumps = 32;  // features that are children in every search, with the hints
constexpr std::size_t tried_roots = 64;    // looked at closely with their best children so far
constexpr double light = 0.05;             // of what the best stump pays: the mass of rows that may be left out

class WideSearch {
    const Rows rows_;
    const int threads_;
    Stop& stop_;
    const FixedPoint none_{};
    PairSurvey closely_;
    std::vector<Workspace> spaces_;  // what is known closely, by worker
    std::vector<bool> looked_;       // closely, at a pair of features
    std::vector<double> stump_;      // what the best stump of each feature pays
    std::optional<WideBlocks> blocks_;
    double total_ = 0.0;

    const Layout& layout() const { return rows_.layout; }
    const Children& known() const { return spaces_[0].children; }
    int workers(double nanoseconds) const { return threads_worth(nanoseconds, threads_); }

    void merge() {
        for (std::size_t worker = 1; worker < spaces_.size(); ++worker) {
            spaces_[0].children.merge(spaces_[worker].children);
            spaces_[worker].children = Children(layout());
        }
    }

    void look_closely(const std::vector<FeaturePair>& pairs, std::size_t worker) {
        for (std::size_t at = 0; at < pairs.size(); at += tables_at_once) {
            const auto from = pairs.begin() + static_cast<std::ptrdiff_t>(at);
            const auto count = static_cast<std::ptrdiff_t>(std::min(tables_at_once, pairs.size() - at));
            closely_.look_at({from, from + count}, spaces_[worker]);
        }
    }

    void look_at_stumps() {
        const std::size_t n = layout().features();
        stump_.assign(n, -1.0);
        const auto masses = [&](std::size_t f) { return histogram(rows_, f, mass); };
        parallel_for(n, workers(3.0 * static_cast<double>(n * rows_.size())), [&](std::size_t f, std::size_t worker) {
            if (!layout()[f].splits()) return;
            stump_[f] = best_stump(layout(), f, histogram(rows_, f, signed_weight), masses).pay();
            closely_.look_at(f, f, spaces_[worker]);
        });
        merge();
    }

    // The hints and the features of the best stumps.
    std::vector<std::size_t> strong(std::vector<std::size_t> hints) const {
        std::vector<std::size_t> order(stump_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](auto f, auto g) { return stump_[f] > stump_[g]; });
        order.resize(std::min(order.size(), strong_stumps));
        order.insert(order.end(), hints.begin(), hints.end());
        std::sort(order.begin(), order.end());
        order.erase(std::unique(order.begin(), order.end()), order.end());
        return order;
    }

    // The best children of every root among some features, and among all if its own is one of them.
    Children look_at_some(const std::vector<std::size_t>& features) {
        const std::vector<BlockPair> tasks = blocks_->pairs_with(features);
        std::vector<Children> found(spaces_.size(), Children(layout()));
        const auto work = [&](std::size_t task, std::size_t worker) {
            const auto offer = [&](std::size_t root, std::size_t number, std::size_t child, double left, double right) {
                found[worker].offer(layout().place({root, number, 0}), child, left, right);
            };
            blocks_->look_at(tasks[task], spaces_[worker].lanes, offer, [](std::size_t, std::size_t) {});
        };
        parallel_for(tasks.size(), threads_, work, stop_);
        for (std::size_t worker = 1; worker < found.size(); ++worker) found[0].merge(found[worker]);
        return std::move(found[0]);
    }

    // The most promising roots with their best children so far, closely.
    void try_roots(const Children& found) {
        std::vector<BestRoot> best = best_of_each(layout(), found);
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
                     [&](std::size_t k, std::size_t worker) { look_closely({pairs[k]}, worker); });
        merge();
    }

    double best() const {
        double most = 0.0;
        for (const BestRoot& root : best_of_each(layout(), known())) most = std::max(most, root.value);
        return most;
    }

    // Look closely at the pairs that do not keep to what is allowed.
    void look_at_all(const std::vector<BlockPair>& tasks, const Allowed& allowed) {
        const std::size_t n = layout().features();
        std::vector<std::vector<FeaturePair>> looks(spaces_.size());
        const auto work = [&](std::size_t task, std::size_t worker) {
            std::vector<FeaturePair> beyond;
            bool keeps = true;
            const auto offer = [&](std::size_t root, std::size_t number, std::size_t, double pays_left,
                                   double pays_right) {
                const std::size_t at = layout().place({root, number, 0});
                keeps &= allowed.keeps(at, pays_left, pays_right);
            };
            const auto done = [&](std::size_t f, std::size_t g) {
                if (!keeps && !looked_[f * n + g]) beyond.push_back(std::minmax(f, g));
                keeps = true;
            };
            blocks_->look_at(tasks[task], spaces_[worker].lanes, offer, done);
            look_closely(beyond, worker);
            looks[worker].insert(looks[worker].end(), beyond.begin(), beyond.end());
        };
        parallel_for(tasks.size(), threads_, work, stop_);
        for (const auto& pairs : looks)
            for (const auto& [f, g] : pairs) looked_[f * n + g] = looked_[g * n + f] = true;
        merge();
    }

    // Features with missing values or categories, or with very many bins: all their pairs, closely.
    void look_at_others() {
        std::vector<std::size_t> others;
        for (std::size_t f = 0; f < layout().features(); ++f)
            if (layout()[f].splits() && !blocks_->heavy.plain(f)) others.push_back(f);
        const auto work = [&](std::size_t task, std::size_t worker) {
            std::vector<FeaturePair> pairs;
            for (std::size_t g = 0; g < layout().features(); ++g)
                if (layout()[g].splits() && g != others[task]) pairs.push_back(std::minmax(others[task], g));
            look_closely(pairs, worker);
        };
        parallel_for(others.size(), threads_, work, stop_);
        merge();
    }

    // All pairs; afterwards no tree that is not known closely pays `most` or more.
    void look_at_pairs(const Children& found, double most) {
        Allowed allowed(blocks_->heavy, found, most);
        look_at_others();
        look_at_all(blocks_->pairs(), allowed);
        while (!stop_.said()) {
            const std::vector<std::size_t> changed = allowed.share_again(blocks_->heavy, known(), most);
            if (changed.empty()) break;
            look_at_all(blocks_->pairs_with(changed), allowed.only(layout(), changed));
        }
    }

  public:
    WideSearch(const Features& data, const double* u, int threads, Stop& stop)
        : rows_(data, u), threads_(std::max(threads, 1)), stop_(stop), closely_(rows_, none_),
          spaces_(static_cast<std::size_t>(threads_), Workspace{Children(rows_.layout)}),
          looked_(data.features * data.features, false) {
        for (double weight : rows_.weight) total_ += std::fabs(weight);
    }

    BoundedTrees run(const Wanted& wanted, const std::vector<std::size_t>& hints, std::size_t columns) {
        look_at_stumps();
        blocks_.emplace(rows_, light * std::max(*std::max_element(stump_.begin(), stump_.end()), 0.0), threads_);
        const Children found = look_at_some(strong(hints));
        try_roots(found);
        double bound = total_;
        if (const double most = wanted.cut(best()); std::min(wanted.bound, total_) > most) {
            look_at_pairs(found, most);
            if (!stop_.said()) bound = std::min(std::max(most, best()), total_);
        }
        return {trees_below(rows_, std::move(spaces_[0].children), columns, threads_), bound};
    }
};

}  // namespace

BoundedTrees wide_trees(const Features& data, const double* u, const Wanted& wanted,
                        const std::vector<std::size_t>& hints, std::size_t columns, int threads, Stop& stop) {
    return WideSearch(data, u, threads, stop).run(wanted, hints, columns);
}

}  // namespace frankboost
