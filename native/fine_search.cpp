// Computes depth-2 trees, with a bound, where features have very many thresholds. A search over coarse bins gives
// trees, whose thresholds are then improved, and a bound. If neither is what the round needs, sweeps over all
// thresholds search those roots and children that may give a better tree. Reference: the search over all pairs, in
// tests/learners/test_fine_trees.py.
#include "fine_search.hpp"

#include <numeric>
#include <optional>

#include "coarse_bins.hpp"
#include "pair_survey.hpp"

namespace frankboost {
namespace {

constexpr std::size_t coarse_bins =
    most_bins - 2;  // two codes are left for missing values and the threshold before them

class FineSearch {
    const Rows rows_;
    const std::shared_ptr<const PairMask> mask_;
    const SearchGoal& goal_;
    const std::size_t columns_;
    const int threads_;
    Stop& stop_;
    double sum_, mass_;
    std::vector<TwoLevels> found_{};
    double best_;  // the edge of the best tree, or of a leaf
    std::optional<CoarseBins> coarse_{};
    SideBounds sides_{};
    double most_ = infinity;  // an upper bound on the trees that were not found

    void add(std::vector<TwoLevels> trees) {
        for (TwoLevels& tree : trees) {
            best_ = std::max(best_, tree.value());
            found_.push_back(std::move(tree));
        }
    }
    double bound() const { return std::min(std::max(best_, most_), mass_); }
    bool suffices() const { return std::min(goal_.bound, bound()) <= goal_.cut(best_); }

    void search_coarse_bins() {
        coarse_.emplace(rows_, mask_, coarse_bins, threads_, stop_);
        if (stop_.requested()) return;
        add(coarse_->trees(rows_, columns_, threads_));
        sides_ = coarse_->bounds(rows_);
        most_ = -infinity;
        for (std::size_t at = 0; at < sides_.left.size(); ++at) most_ = std::max(most_, sides_.of(at));
    }

    // Sweeps child g below those roots on f that may pay `cut` with it; `with` has the bounds on their sides with g.
    void sweep(std::size_t f, std::size_t g, const SideBounds& with, double cut, const Order& by_f, RootFlags& left,
               RootFlags& right, Children& children) const {
        bool any = false;
        for (std::size_t at = rows_.layout.begin(f); at < rows_.layout.begin(f + 1); ++at) {
            left[at] = with.left[at] + sides_.right[at] >= cut;  // >=, since trees that tie are of use
            right[at] = sides_.left[at] + with.right[at] >= cut;
            any |= left[at] || right[at];
        }
        if (any) sweep_flagged(rows_, f, g, by_f, left, right, children);
    }

    // The pairs of features with a root that may pay `cut`.
    std::vector<FeaturePair> promising_pairs(double cut) const {
        const Layout& layout = rows_.layout;
        const std::size_t n = layout.features();
        std::vector<std::uint8_t> promising(n, 0);
        for (std::size_t f = 0; f < n; ++f)
            for (std::size_t at = layout.begin(f); at < layout.begin(f + 1); ++at) promising[f] |= sides_.of(at) >= cut;
        std::vector<FeaturePair> pairs;
        for (std::size_t f = 0; f < n; ++f)
            for (std::size_t g = f; g < n; ++g)
                if (layout[f].splits() && layout[g].splits() && layout.together(f, g) && (promising[f] || promising[g]))
                    pairs.push_back({f, g});
        return pairs;
    }

    // The best children of the roots that may pay `cut`.
    Children search_pairs(double cut) {
        struct WorkerSpace {
            Workspace space;
            SideBounds with;
            RootFlags left, right;
        };
        const Layout& layout = rows_.layout;
        const std::vector<FeaturePair> pairs = promising_pairs(cut);
        const FixedPoint none;
        PairSurvey survey(rows_, none);
        Orders orders(rows_);
        const int workers = threads_worth(40.0 * static_cast<double>(rows_.size() * pairs.size()), threads_);
        const std::vector<double> unknown(layout.size(), -infinity);
        const RootFlags no(layout.size(), 0);
        std::vector<WorkerSpace> spaces(static_cast<std::size_t>(workers),
                                        WorkerSpace{Workspace{Children(layout)}, {unknown, unknown}, no, no});
        const auto look = [&](std::size_t task, std::size_t worker) {
            auto& [space, with, left, right] = spaces[worker];
            const auto [f, g] = pairs[task];
            if (survey.plan(f, g).method != Method::sweep || layout.categorical(f, g))
                return survey.search(f, g, space);
            coarse_->bounds(rows_, f, g, with);
            sweep(f, g, with, cut, orders[f], left, right, space.children);
            sweep(g, f, with, cut, orders[g], left, right, space.children);
        };
        parallel_for(pairs.size(), workers, look, stop_);
        for (std::size_t worker = 1; worker < spaces.size(); ++worker)
            spaces[0].space.children.merge(spaces[worker].space.children);
        return std::move(spaces[0].space.children);
    }

    void search_all_thresholds() {
        const Layout& layout = rows_.layout;
        const double cut = goal_.cut(best_);
        const Children children = search_pairs(cut);
        if (stop_.requested()) return;
        const auto sums = [&](std::size_t f) { return histogram(rows_, f, signed_weight); };
        std::vector<TwoLevels> grown;
        for (const BestRoot& each : best_roots(layout, children, columns_, sums))
            if (const std::size_t at = layout.place(each.root); sides_.of(at) >= cut)
                grown.push_back(grow(rows_, each.root, {child_features(children, at)}));
        add(std::move(grown));
        most_ = cut;
    }

  public:
    FineSearch(const Features& data, const double* u, const SearchGoal& goal, std::size_t columns, int threads,
               Stop& stop)
        : rows_(data, u), mask_(data.mask), goal_(goal), columns_(columns), threads_(threads), stop_(stop),
          sum_(std::accumulate(rows_.weight.begin(), rows_.weight.end(), 0.0)),
          mass_(std::accumulate(rows_.weight.begin(), rows_.weight.end(), 0.0,
                                [](double sum, double weight) { return sum + std::fabs(weight); })),
          best_(std::fabs(sum_)) {}

    BoundedTrees run() {
        if (best_ == mass_) return {Trees{}, mass_};  // a leaf is right about all rows
        search_coarse_bins();
        if (!stop_.requested() && !suffices()) search_all_thresholds();
        const double least = stop_.requested() ? mass_ : bound();
        return {best_first(std::move(found_), sum_, columns_, rows_.layout), least};
    }
};

}  // namespace

BoundedTrees fine_trees(const Features& data, const double* u, const SearchGoal& goal, std::size_t columns, int threads,
                        Stop& stop) {
    return FineSearch(data, u, goal, columns, threads, stop).run();
}

}  // namespace frankboost
