// The constraint that each leaf of a tree holds at least a given weight of the training rows.
#pragma once

#include <optional>

#include "cells.hpp"

namespace frankboost {

// The sums of the weights of the rows, and what a leaf is to weigh. Made once for all searches.
//
// A threshold with a side that is too light among all rows is in no tree. The search goes over bins without these
// thresholds, which makes it short and its bounds close: where values are rare, most thresholds are such.
class LeafWeights {
    std::unique_ptr<Cells> merged_{};      // the weights by the bins of the search; null if all bins are as given
    std::vector<std::uint8_t> allowed_{};  // of each root of the search, whether both of its sides weigh enough

  public:
    const Cells& weights;
    const double least;
    const MergedBins bins;  // of the search

    LeafWeights(const Cells& weights, double least);
    // The weights by the bins of the search.
    const Cells& searched() const { return merged_ ? *merged_ : weights; }
    // Whether both sides of a root of the search weigh enough, by its place.
    bool allow(std::size_t at) const { return allowed_[at] != 0; }
    // Whether all leaves of a tree do, of depth 2 at most.
    bool allow(const Node* tree, const CategorySet* sets) const;
};

// The best stump on g, or a leaf if no split pays more, from the sums by its bins and, last, of missing values, and
// from those of all.
Stump heavy_stump(const Layout& layout, std::size_t g, const Reach& reach, const Amounts* sums, const Amounts& all,
                  double least);

// The children on g that pay most of those whose votes are in order, on the side that votes less and on the other; none
// if no four leaves weigh enough.
using OrderedPair = std::array<Stump, 2>;
std::optional<OrderedPair> heavy_in_order(const Layout& layout, std::size_t g, const Amounts* less, const Amounts* more,
                                          double least);

// The trees of depth 1 or 2 of largest edge, each of whose leaves weighs enough, from the sums of u. Best first; a
// search that is stopped answers with the best of what it has looked at. None if no split has such sides.
Trees heavy_trees(const LeafWeights& leaves, const Cells& u, std::size_t depth, std::size_t columns, int threads,
                  Stop& stop);

}  // namespace frankboost
