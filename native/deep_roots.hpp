// The search for the best root of a depth-3 tree, and the goal at which a search on demand may end.
#pragma once

#include <algorithm>

#include "trees.hpp"

namespace frankboost {

// The goal of a search on demand (`Need` in learners/base.py): the search may end as soon as no tree pays more than the
// cut, which grows with the best tree found, or if the bound known beforehand is at most the cut.
struct SearchGoal {
    double edge;     // the edge of the best tree known beforehand
    double known;    // a tree has to pay more than this to be of use
    double bound;    // a known upper bound on the value of the game
    double close;    // a bound of at most this is good enough, whatever is found
    double kappa;    // a bound may always exceed the best tree by this
    double stretch;  // a bound may exceed `known` by this times the excess of the best tree over `known`

    double cut(double best) const { return std::max({best + kappa, close, known + stretch * (best - known)}); }
};

struct BoundedTrees {
    Trees trees;   // best first
    double bound;  // no tree of the class has a larger edge
};

struct DeepRoots {
    std::vector<BestSplit> best;  // the best root of each feature, with what its tree pays
    double bound;                 // no depth-3 tree has a larger edge
};

// `carried` has an upper bound for each root split, in the order of Layout; the search lowers it.
DeepRoots best_deep_roots(const Features& data, const double* u, const SearchGoal& goal, double* carried, int threads,
                          Stop& stop);

}  // namespace frankboost
