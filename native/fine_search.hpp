// The depth-2 trees of largest edge where features have many thresholds, found on demand.
#pragma once

#include "deep_roots.hpp"

namespace frankboost {

// The search ends as soon as `wanted` allows; `edge` of it is not looked at. No feature has a sign.
BoundedTrees fine_trees(const Features& data, const double* u, const Wanted& wanted, std::size_t columns, int threads,
                        Stop& stop);

}  // namespace frankboost
