// Interaction constraints: all features that are split on a path from the root of a tree have to be in one of some
// sets. Tests: tests/learners/test_constrained_trees.py, against enumeration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace frankboost {

// Whether two features may be split on one path; for a feature and itself, whether it may be split at all.
class PairMask {
    std::size_t features_;
    std::vector<bool> allowed_;

  public:
    explicit PairMask(std::size_t features) : features_(features), allowed_(features * features, false) {}
    bool operator()(std::size_t f, std::size_t g) const { return allowed_[f * features_ + g]; }
    void allow(std::size_t f, std::size_t g) { allowed_[f * features_ + g] = true; }
};

// The sets of features.
class InteractionSets {
    std::size_t features_;
    std::vector<std::vector<std::size_t>> sets_{};

  public:
    // Set k has the members start[k] .. start[k + 1].
    InteractionSets(std::size_t features, const std::int64_t* start, std::size_t sets, const std::int64_t* member)
        : features_(features) {
        for (std::size_t k = 0; k < sets; ++k) sets_.emplace_back(member + start[k], member + start[k + 1]);
    }

    // The pairs of features that may be split below a path that has split some features.
    PairMask below(const std::vector<std::size_t>& path) const {
        PairMask mask(features_);
        std::vector<std::uint8_t> on_path(features_, 0);
        std::size_t count = 0;
        for (std::size_t f : path) {
            count += on_path[f] == 0;
            on_path[f] = 1;
        }
        for (const auto& set : sets_) {
            std::size_t found = 0;
            for (std::size_t f : set) found += on_path[f];
            if (found < count) continue;
            for (std::size_t f : set)
                for (std::size_t g : set) mask.allow(f, g);
        }
        return mask;
    }
};

}  // namespace frankboost
