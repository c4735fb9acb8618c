// The best splits of the rows of one node, for trees deeper than 2.
#pragma once

#include "node_columns.hpp"
#include "survey.hpp"

namespace frankboost {

// Good depth-2 trees for the rows of a node, best first, at most one for each root feature; none if none pays more than
// a leaf. The mask has the pairs of features that may be below those above the node; null: all.
std::vector<TwoLevels> search_node(const Rows& all, const RowNumbers& rows, std::shared_ptr<const PairMask> mask,
                                   std::size_t most, int threads, Stop& stop);

// Of the rows of a node, those that a split sends right, and those that it sends left.
std::array<RowNumbers, 2> partition(const Rows& all, const RowNumbers& rows, const Split& split);

}  // namespace frankboost
