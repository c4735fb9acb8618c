// What stumps pay, and the best children of every root split.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "parallel.hpp"

namespace frankboost {

// Pay-off of the best stump over rows with prefix sums in [low, high], non-missing sum `present`, missing sum `absent`.
FRANKBOOST_INLINE double stump_value(double high, double low, double present, double absent) {
    const double sum = present + absent;
    const double most = 2.0 * (high + std::max(absent, 0.0)) - sum;
    const double least = sum - 2.0 * (low + std::min(absent, 0.0));
    return std::max(std::fabs(sum), std::max(most, least));
}

// Extremes of the prefix sums left and right of splits, of numbers or of vectors of them.
template <class T>
struct alignas(sizeof(T)) Extremes {
    T high_left, low_left, high_right, low_right;

    // Before any sum: low and high are the least and the largest number.
    template <class Number>
    FRANKBOOST_INLINE Extremes(Number low, Number high)
        : high_left(T{} + low), low_left(T{} + high), high_right(T{} + low), low_right(T{} + high) {}

    FRANKBOOST_INLINE void see(const T& left, const T& right) {
        high_left = left > high_left ? left : high_left;
        low_left = left < low_left ? left : low_left;
        high_right = right > high_right ? right : high_right;
        low_right = right < low_right ? right : low_right;
    }
    // Take in those of one lane of vectors.
    template <class Lanes>
    FRANKBOOST_INLINE void take(const Extremes<Lanes>& seen, std::size_t lane) {
        high_left = std::max<T>(high_left, seen.high_left[lane]);
        low_left = std::min<T>(low_left, seen.low_left[lane]);
        high_right = std::max<T>(high_right, seen.high_right[lane]);
        low_right = std::min<T>(low_right, seen.low_right[lane]);
    }
};

// The best child on one side of a root split over the features seen so far; ties go to the first feature, so that the
// order in which features are seen does not matter.
struct Child {
    double value = 0.0;
    std::int32_t feature = std::numeric_limits<std::int32_t>::max();

    void offer(const Child& other) {
        if (other.value > value || (other.value == value && other.feature < feature)) *this = other;
    }
};

// The best children of every root split.
struct Children {
    std::vector<Child> left, right;

    explicit Children(std::size_t size) : left(size), right(size) {}
    double value(std::size_t at) const { return left[at].value + right[at].value; }
    void offer(std::size_t at, std::size_t feature, double left_value, double right_value) {
        left[at].offer({left_value, static_cast<std::int32_t>(feature)});
        right[at].offer({right_value, static_cast<std::int32_t>(feature)});
    }
    void merge(const Children& other) {
        for (std::size_t at = 0; at < left.size(); ++at) {
            left[at].offer(other.left[at]);
            right[at].offer(other.right[at]);
        }
    }
};

}  // namespace frankboost
