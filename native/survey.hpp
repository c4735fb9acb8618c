// Every root split with its best children, and the best root of each feature.
#pragma once

#include <cstdint>
#include <vector>

#include "children.hpp"
#include "grow.hpp"
#include "pair_lanes.hpp"
#include "rows.hpp"

namespace frankboost {

// Every root split on a wanted feature with its best children; on a feature that is not wanted, not all children are
// looked at. The values are exact unless there are fixed-point weights.
template <class Code>
Children survey(const Rows<Code>& rows, const FixedPoint& fixed, const std::vector<std::uint8_t>& wanted, int threads);

struct BestRoot {
    Root root{};
    double value = -1.0;  // negative if the feature has no split
};

std::vector<BestRoot> best_of_each(const Layout& layout, const Children& children);

// The same as splits; masses(f) by bin are asked for if feature f is categorical.
template <class Masses>
std::vector<BestSplit> splits_of(const Layout& layout, const std::vector<BestRoot>& roots, Masses&& masses) {
    std::vector<BestSplit> best(roots.size());
    for (std::size_t f = 0; f < roots.size(); ++f)
        if (roots[f].value >= 0.0)
            best[f] = {split_of(layout, roots[f].root, [&] { return masses(f); }), roots[f].value};
    return best;
}

}  // namespace frankboost
