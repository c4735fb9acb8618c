// Trees that rise, or fall, along a feature (monotonic constraints).
//
// Let the feature f of a root have the sign 1: its left side may not vote more than its right side where the values of
// all other features are the same. For the sign -1 the sides swap their roles. Such a root is "ordered". Then one of
// three cases holds (docs/theory/constraints.md has the proof):
//   - all numbers on the left vote -1, and the right side is any child that satisfies the signs;
//   - all numbers on the right vote +1, and the left side is any such child;
//   - both children split the same feature g, and every cell of g that votes +1 on the left votes +1 on the right. We
//     say that the children are "in order".
// Missing values of f are exempt: a side that is a leaf for f's numbers may split off the missing values, by the root's
// own threshold. A root whose threshold only splits off missing values is not ordered.
//
// Let a and b be the cuts of the left and of the right child along the numbers of g. Children in order have b <= a if
// both rise, and a <= b if both fall. If g has a threshold that splits its missing values from all numbers, all numbers
// of the left child may vote -1, and all of the right child +1. Missing values of g are one more cell.
#pragma once

#include "survey.hpp"

namespace frankboost {

// The best children in order on g below an ordered root, from the sums of u by the bins of g on both sides; [0] is
// right of the root, [1] left of it.
std::array<Stump, 2> ordered_stumps(const Layout& layout, std::size_t g, int sign,
                                    const std::array<std::vector<double>, 2>& sums);

// The best tree of an ordered root, from its best child on each side, and from its best children in order (`both`; null
// if there are none). `absent` is the sum of u over the rows where the root's feature is missing; `apart` says whether
// these rows may be split off on the right and on the left side.
TwoLevels ordered_tree(const Layout& layout, const TwoLevels& best, const std::array<Stump, 2>* both, double absent,
                       const std::array<bool, 2>& apart = {true, true});

}  // namespace frankboost
