// Trees of Python's, checked.
#pragma once

#include "arrays.hpp"
#include "trees.hpp"

namespace frankboost {

// The trees in these arrays, if every walk through them ends in a leaf.
TreesView view_of(const NodeArray& nodes, const Vector<std::int64_t>& roots, const Sets& sets, std::size_t features);

}  // namespace frankboost
