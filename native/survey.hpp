// Every root split with its best children.
#pragma once

#include <cstdint>
#include <vector>

#include "children.hpp"
#include "pair_lanes.hpp"
#include "rows.hpp"

namespace frankboost {

// Every root split on a wanted feature with its best children; on a feature that is not wanted, not all children are
// looked at. The values are exact unless there are fixed-point weights.
template <class Code>
Children survey(const Rows<Code>& rows, const FixedPoint& fixed, const std::vector<std::uint8_t>& wanted, int threads);

}  // namespace frankboost
