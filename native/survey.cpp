// Computes the best children of every root split, over all pairs of features, in parallel. Reference: best_edge of
// tests/reference.py, by brute force.
#include "survey.hpp"

#include "pair_survey.hpp"

namespace frankboost {
namespace {

// The pairs of features that can be split and of which at least one is wanted. Pairs have numbers, from which they are
// computed, as a list may be too long; only if constraints forbid some pairs there is a list of the others.
class PairList {
    std::vector<std::size_t> feature_;  // the features that can be split, wanted ones first
    std::vector<std::size_t> start_;  // the first number of the pairs of each wanted feature with itself and later ones
    std::vector<std::size_t> listed_;  // the numbers of the allowed pairs, if constraints forbid some
    bool all_;                         // whether all pairs are allowed

    FeaturePair pair(std::size_t number) const {
        const std::size_t at = std::upper_bound(start_.begin(), start_.end(), number) - start_.begin() - 1;
        return std::minmax<std::size_t>({feature_[at], feature_[at + number - start_[at]]});
    }

  public:
    PairList(const Layout& layout, const std::vector<std::uint8_t>& wanted) : start_(1, 0), all_(!layout.restricted()) {
        for (const bool first : {true, false})
            for (std::size_t f = 0; f < layout.features(); ++f)
                if (layout[f].splits() && layout.together(f, f) && (wanted[f] != 0) == first) feature_.push_back(f);
        for (std::size_t at = 0; at < feature_.size() && wanted[feature_[at]]; ++at)
            start_.push_back(start_.back() + feature_.size() - at);
        for (std::size_t number = 0; !all_ && number < start_.back(); ++number)
            if (const auto [f, g] = pair(number); layout.together(f, g)) listed_.push_back(number);
    }
    std::size_t size() const { return all_ ? start_.back() : listed_.size(); }
    std::vector<std::size_t> wanted() const { return {feature_.begin(), feature_.begin() + (start_.size() - 1)}; }

    FeaturePair operator[](std::size_t number) const { return pair(all_ ? number : listed_[number]); }
    // The pairs from one number on, as many as have tables that are filled at once.
    std::vector<FeaturePair> chunk(std::size_t begin) const {
        std::vector<FeaturePair> found;
        for (std::size_t number = begin; number < std::min(begin + tables_at_once, size()); ++number)
            found.push_back((*this)[number]);
        return found;
    }
};

// The number of threads that the search of all pairs is worth.
int workers_worth(const PairSurvey& survey, const PairList& pairs, int threads) {
    double cost = 0.0;
    int worth = 1;
    for (std::size_t number = 0; number < pairs.size() && worth < threads; ++number) {
        const auto [f, g] = pairs[number];
        worth = threads_worth(cost += survey.plan(f, g).cost, threads);
    }
    return worth;
}

// Searches the postponed pairs that may give a better tree than the best one without children in order.
void search_postponed(const PairSurvey& survey, std::vector<Workspace>& spaces, double slack, Stop& stop) {
    Children& first = spaces[0].children;
    first.raise_floor(slack);
    std::vector<Children::PostponedPair> pairs;
    for (Workspace& space : spaces) {
        space.children.floor = first.floor;
        for (const auto& pair : space.children.postponed)
            if (pair.most > first.floor) pairs.push_back(pair);
    }
    const auto look = [&](std::size_t task, std::size_t worker) {
        survey.search_postponed(pairs[task], spaces[worker]);
    };
    parallel_for(pairs.size(), static_cast<int>(spaces.size()), look, stop);
    for (std::size_t worker = 1; worker < spaces.size(); ++worker) first.merge(spaces[worker].children);
}

}  // namespace

Children survey(const Rows& rows, const FixedPoint& fixed, const std::vector<std::uint8_t>& wanted, int threads,
                Stop& stop) {
    const PairList pairs(rows.layout, wanted);
    const RarePairs rare(rows);
    PairSurvey all(rows, fixed, &rare);
    const int workers = workers_worth(all, pairs, threads);
    Children start(rows.layout);
    if (rows.layout.signs()) {
        for (std::size_t f = 0; f < rows.features(); ++f)
            if (rows.layout[f].splits() && rows.layout.together(f, f))
                scan_same(rows.layout, f, histogram(rows, f, signed_weight), start);
        start.raise_floor(0.0);
        start.postpones = true;
    }
    std::vector<Workspace> spaces(static_cast<std::size_t>(workers), Workspace{std::move(start)});
    const auto look = [&](std::size_t task, std::size_t worker) {
        all.search(pairs.chunk(task * tables_at_once), spaces[worker]);
    };
    parallel_for((pairs.size() + tables_at_once - 1) / tables_at_once, workers, look, stop);
    if (stop.requested())  // every root needs some children: those on its own feature
        for (std::size_t f : pairs.wanted()) all.search(f, f, spaces[0]);
    for (std::size_t worker = 1; worker < spaces.size(); ++worker) spaces[0].children.merge(spaces[worker].children);
    if (rows.layout.signs()) search_postponed(all, spaces, 2.0 * fixed.slack, stop);
    return std::move(spaces[0].children);
}

}  // namespace frankboost
