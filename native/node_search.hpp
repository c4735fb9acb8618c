// The search for the splits of one node of a tree deeper than 2.
#pragma once

#include "node_columns.hpp"
#include "survey.hpp"

namespace frankboost {

// Good depth-2 trees for the rows of a node, best first, at most one per root feature; none if no tree pays more than a
// leaf. The mask allows the pairs of features that may be split below the path to the node; null allows all.
std::vector<TwoLevels> search_node(const Rows& all, const RowNumbers& rows, std::shared_ptr<const PairMask> mask,
                                   std::size_t most, int threads, Stop& stop);

// The rows of a node that a split sends right, and those that it sends left.
std::array<RowNumbers, 2> partition(const Rows& all, const RowNumbers& rows, const Split& split);

}  // namespace frankboost
