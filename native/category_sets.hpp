// Sets of categories that a search tries, and where it sends what has no weight.
//
// A stump sends each category to the leaf of its sign. The root of a depth-2 tree has no such rule, so that its sets
// are tried one by one: all of them up to `most_free` categories, beyond that each category against the rest. In both
// cases missing values go left or right, and may be alone.
#pragma once

#include <cstddef>
#include <vector>

#include "trees.hpp"

namespace frankboost {

// Number 0 is the empty set, which only tells missing values from all others. The last of few categories is always
// right: a set and its complement are the same split.
inline std::size_t count_root_sets(std::size_t categories) {
    return categories <= most_free ? std::size_t{1} << (categories - 1) : categories + 1;
}

inline CategorySet root_set(std::size_t categories, std::size_t number) {
    CategorySet set;
    if (categories <= most_free)
        set.word[0] = number;
    else if (number > 0)
        set.put(number - 1, true);
    return set;
}

// Whether more weight goes left, by the masses of categories and, last, of missing values.
inline bool heavier_left(const std::vector<double>& mass, const CategorySet& set, bool missing_left) {
    double sides[2] = {0.0, 0.0};
    for (std::size_t c = 0; c + 1 < mass.size(); ++c) sides[set.has(c)] += mass[c];
    sides[missing_left] += mass.back();
    return sides[1] > sides[0];
}

// A root split by its number, with what has no weight sent to where more weight goes. One category against the rest
// stays that.
inline Split root_split(std::size_t feature, std::size_t number, bool missing_left, const std::vector<double>& mass) {
    const std::size_t categories = mass.size() - 1;
    Split split{static_cast<std::int32_t>(feature), 0, missing_left, true, root_set(categories, number)};
    const bool heavier = heavier_left(mass, split.set, missing_left);
    if (categories <= most_free)
        for (std::size_t c = 0; c < categories; ++c)
            if (mass[c] == 0.0) split.set.put(c, heavier);
    if (mass.back() == 0.0) split.missing_left = heavier;
    return split;
}

}  // namespace frankboost
