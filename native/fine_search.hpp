// The search on demand for depth-2 trees of largest edge where features have many thresholds.
#pragma once

#include "deep_roots.hpp"

namespace frankboost {

// The search may end as soon as the goal is reached; it does not use `goal.edge`. Features must have no signs.
BoundedTrees fine_trees(const Features& data, const double* u, const SearchGoal& goal, std::size_t columns, int threads,
                        Stop& stop);

}  // namespace frankboost
