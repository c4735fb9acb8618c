// The depth-2 trees of largest edge where there are too many pairs of features to look at each closely.
#pragma once

#include "deep_roots.hpp"

namespace frankboost {

// `hints` are features that are likely to be in good trees. The search ends as soon as `wanted` allows; `edge` of it is
// not looked at.
BoundedTrees wide_trees(const Features& data, const double* u, const Wanted& wanted,
                        const std::vector<std::size_t>& hints, std::size_t columns, int threads, Stop& stop);

}  // namespace frankboost
