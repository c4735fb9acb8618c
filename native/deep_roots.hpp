// The search for the root of a depth-3 tree.
#pragma once

#include <algorithm>

#include "trees.hpp"

namespace frankboost {

// What a search is for. It may end as soon as no tree pays more than `cut`, which grows with the best tree found; or
// if `bound`, which is known beforehand, is no more than that.
struct Wanted {
    double edge;     // of the best tree known beforehand
    double known;    // what a tree has to exceed to be of use
    double bound;    // what is known to be no less than the value of the game
    double close;    // a bound that is good enough, whatever is found
    double kappa;    // how far a bound may always be above the best tree
    double stretch;  // how far it may be above `known`, as a multiple of what the best tree is

    double cut(double best) const { return std::max({best + kappa, close, known + stretch * (best - known)}); }
};

struct BoundedTrees {
    Trees trees;   // best first
    double bound;  // no tree of the class pays more
};

struct DeepRoots {
    std::vector<BestSplit> best;  // of each feature, with what a tree below it pays; empty if none was looked at
    double bound;                 // no depth-3 tree pays more
};

// `carried` has a bound for each root split, in the order of Layout, and is lowered.
DeepRoots best_deep_roots(const Features& data, const double* u, const Wanted& wanted, double* carried, int threads,
                          Stop& stop);

}  // namespace frankboost
