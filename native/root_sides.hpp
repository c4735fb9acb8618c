// What goes left at every root split on a feature.
#pragma once

#include "pairs.hpp"

namespace frankboost {

// The sums of every set of up to `most_free` categories, each from a smaller one: visit(set, sums). A set adds its
// lowest category to the set without it, which was met before.
template <class Gather, class Visit>
void for_each_set(const FeatureKind& root, std::size_t width, Gather&& gather, Visit&& visit) {
    std::vector<std::vector<double>> sums(root.bins);  // [c]: of the last set met whose lowest category is c
    auto lowest = [](std::size_t set) { return static_cast<std::size_t>(__builtin_ctzll(set)); };
    for (std::size_t set = 1; set < root.numbers; ++set) {
        const std::size_t rest = set & (set - 1), c = lowest(set);
        sums[c] = rest == 0 ? std::vector<double>(width, 0.0) : sums[lowest(rest)];
        gather(c, sums[c].data());
        visit(set, sums[c]);
    }
}

// visit(number of a root split, sums of what it sends left but for missing values), where gather(bin, out) adds up some
// sums, so many, over the rows in a bin of the root.
template <class Gather, class Visit>
void for_each_left(const FeatureKind& root, std::size_t width, Gather&& gather, Visit&& visit) {
    std::vector<double> left(width, 0.0);
    if (root.categorical) visit(std::size_t{0}, left);
    if (root.categorical && root.bins <= most_free) return for_each_set(root, width, gather, visit);
    for (std::size_t bin = 0; bin + (root.categorical ? 0 : 1) < root.bins; ++bin) {
        if (root.categorical) std::fill(left.begin(), left.end(), 0.0);
        gather(bin, left.data());
        visit(root.categorical ? bin + 1 : bin, left);
    }
}

}  // namespace frankboost
