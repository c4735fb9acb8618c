// The best children of every root split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace frankboost {

// The best child on one side of every root split, over the child features seen so far; ties go to the first feature,
// so that the order in which features are seen does not matter.
class Side {
    std::vector<double> value_;
    std::vector<std::int32_t> feature_;

  public:
    explicit Side(std::size_t size) : value_(size, 0.0), feature_(size, std::numeric_limits<std::int32_t>::max()) {}
    double value(std::size_t at) const { return value_[at]; }
    std::int32_t feature(std::size_t at) const { return feature_[at]; }
    void offer(std::size_t at, double value, std::int32_t feature) {
        if (value > value_[at] || (value == value_[at] && feature < feature_[at])) {
            value_[at] = value;
            feature_[at] = feature;
        }
    }
    void merge(const Side& other) {
        for (std::size_t at = 0; at < value_.size(); ++at) offer(at, other.value_[at], other.feature_[at]);
    }
    void replace(const Side& other, std::size_t begin, std::size_t end) {
        std::copy(other.value_.begin() + begin, other.value_.begin() + end, value_.begin() + begin);
        std::copy(other.feature_.begin() + begin, other.feature_.begin() + end, feature_.begin() + begin);
    }
};

struct Children {
    Side left, right;
    explicit Children(std::size_t size) : left(size), right(size) {}
    double value(std::size_t at) const { return left.value(at) + right.value(at); }
    void offer(std::size_t at, std::size_t feature, double left_value, double right_value) {
        left.offer(at, left_value, static_cast<std::int32_t>(feature));
        right.offer(at, right_value, static_cast<std::int32_t>(feature));
    }
    void merge(const Children& other) {
        left.merge(other.left);
        right.merge(other.right);
    }
    void replace(const Children& other, std::size_t begin, std::size_t end) {
        left.replace(other.left, begin, end);
        right.replace(other.right, begin, end);
    }
};

}  // namespace frankboost
