// Root and child of which one is categorical, in double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "children.hpp"
#include "rows.hpp"
#include "stumps.hpp"

namespace frankboost {

struct ChildPays {
    double left, right;
};

// What the best stump on a child pays left and right of a root, from the sums of u by its bins and, last, its missing
// values: left + added of the root's left side, total of both sides.
ChildPays child_pays(const FeatureKind& child, const double* left, const double* added, const double* total);

// The sums of every set of up to `most_free` categories, each from a smaller one: visit(set, sums). A set adds its
// lowest category to the set without it, which was met before.
template <class Gather, class Visit>
void for_each_set(std::size_t categories, std::size_t width, Gather&& gather, Visit&& visit) {
    std::vector<std::vector<double>> sums(categories);  // [c]: of the last set met whose lowest category is c
    auto lowest = [](std::size_t set) {
        std::size_t c = 0;
        while ((set >> c & 1) == 0) ++c;
        return c;
    };
    for (std::size_t set = 1; set < count_root_sets(categories); ++set) {
        const std::size_t rest = set & (set - 1), c = lowest(set);
        sums[c] = rest == 0 ? std::vector<double>(width, 0.0) : sums[lowest(rest)];
        gather(c, sums[c].data());
        visit(set, sums[c]);
    }
}

// Offer child g with every root split on f; f and g may be the same. gather(bin, out) adds up the sums of u by the
// child's bins over the rows in a bin of the root.
template <class Gather>
void offer_child(const Layout& layout, std::size_t f, std::size_t g, Gather&& gather, Children& children) {
    const FeatureKind &root = layout[f], &child = layout[g];
    const std::size_t width = child.bins + 1;
    const std::vector<double> nothing(width, 0.0);
    std::vector<double> total(width, 0.0), absent(width, 0.0);
    for (std::size_t bin = 0; bin <= root.bins; ++bin) gather(bin, total.data());
    if (root.missing) gather(root.bins, absent.data());
    auto visit = [&](std::size_t number, const std::vector<double>& left) {
        for (std::size_t variant = 0; variant < root.variants; ++variant) {
            const double* added = variant ? absent.data() : nothing.data();
            const ChildPays pays = child_pays(child, left.data(), added, total.data());
            children.offer(layout.place(f, number, variant), g, pays.left, pays.right);
        }
    };
    std::vector<double> left(width, 0.0);
    if (!root.categorical) {
        for (std::size_t t = 0; t + 1 < root.bins; ++t) {
            gather(t, left.data());
            visit(t, left);
        }
        return;
    }
    visit(0, nothing);
    if (root.bins <= most_free) {
        for_each_set(root.bins, width, gather, visit);
        return;
    }
    for (std::size_t c = 0; c < root.bins; ++c) {
        std::fill(left.begin(), left.end(), 0.0);
        gather(c, left.data());
        visit(c + 1, left);
    }
}

}  // namespace frankboost
