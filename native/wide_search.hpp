// The search on demand for depth-2 trees where there are too many pairs of features for exact tables of all.
#pragma once

#include "deep_roots.hpp"

namespace frankboost {

// `hints` are features that are likely to be in good trees. The search may end as soon as the goal is reached; it does
// not use `goal.edge`.
BoundedTrees wide_trees(const Features& data, const double* u, const SearchGoal& goal,
                        const std::vector<std::size_t>& hints, std::size_t columns, int threads, Stop& stop);

}  // namespace frankboost
