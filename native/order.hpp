// Trees that rise, or fall, along a feature.
//
// Say the feature f of a root has the sign 1, so that its left side votes no more than its right side wherever the
// values of all other features are the same; for the sign -1 the sides change their roles. Then either all numbers on
// the left vote -1 and the right side is any child that keeps to the signs, or all numbers on the right vote +1 and the
// left side is any such child, or both children split the same feature g, and what votes +1 on the left does so on the
// right. docs/theory/constraints.md proves it. Missing values of f have no part in the order: a leaf on f's numbers may
// yet tell them apart, by the root's own threshold. A root whose threshold does nothing but tell them apart is not
// ordered.
//
// With cuts a of the left child and b of the right one along the numbers of g, that is b <= a if both children rise and
// a <= b if both fall. If g has a threshold that tells its missing values from all numbers, the numbers of the left
// child may all vote -1, and those of the right one +1; missing values of g are one more pair of votes in order.
#pragma once

#include "survey.hpp"

namespace frankboost {

// The children on g below an ordered root that pay most of those whose votes are in order, from the sums of u by the
// bins of g on both sides: at [0] right of the root, at [1] left of it.
std::array<Stump, 2> ordered_stumps(const Layout& layout, std::size_t g, int sign,
                                    const std::array<std::vector<double>, 2>& sums);

// The tree below an ordered root: of the best children on either side and of the best of those in order (`both` may be
// null), what pays most. `absent` is the sum of u over the rows where the root's feature is missing; `apart` says
// whether these may be split off on the right and on the left side.
TwoLevels ordered_tree(const Layout& layout, const TwoLevels& best, const std::array<Stump, 2>* both, double absent,
                       const std::array<bool, 2>& apart = {true, true});

}  // namespace frankboost
