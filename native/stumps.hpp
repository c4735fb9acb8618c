// What a stump pays.
#pragma once

#include <algorithm>
#include <cmath>

#include "parallel.hpp"

namespace frankboost {

// Pay-off of the best stump over rows with prefix sums in [low, high], non-missing sum `present`, missing sum `absent`.
FRANKBOOST_INLINE double stump_value(double high, double low, double present, double absent) {
    const double sum = present + absent;
    const double most = 2.0 * (high + std::max(absent, 0.0)) - sum;
    const double least = sum - 2.0 * (low + std::min(absent, 0.0));
    return std::max(std::fabs(sum), std::max(most, least));
}

}  // namespace frankboost
