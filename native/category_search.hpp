// Splits of categorical features: sets of categories.
//
// A stump sends each category to the leaf of its sign, and so pays the sum over the categories of |sum of u|. The root
// of a depth-2 tree has no such rule, so that its sets are tried one by one: all of them up to `most_free` categories,
// beyond that each category against the rest. In both cases missing values go left or right, and may be alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "stumps.hpp"

namespace frankboost {

constexpr std::size_t most_free = 8;
constexpr std::size_t set_words = 4;
constexpr std::size_t most_categories = 255;  // one code is left for a missing value

struct CategorySet {
    std::array<std::uint64_t, set_words> word{};
    bool has(std::size_t c) const { return word[c / 64] >> (c % 64) & 1; }
    void put(std::size_t c, bool in) {
        const std::uint64_t bit = std::uint64_t{1} << (c % 64);
        word[c / 64] = in ? word[c / 64] | bit : word[c / 64] & ~bit;
    }
};

// Number 0 is the empty set, which only tells missing values from all others. The last of few categories is always
// right: a set and its complement are the same split.
inline std::size_t count_root_sets(std::size_t categories) {
    return categories <= most_free ? std::size_t{1} << (categories - 1) : categories + 1;
}

inline CategorySet root_set(std::size_t categories, std::size_t number) {
    CategorySet set;
    if (categories <= most_free) set.word[0] = number;
    else if (number > 0) set.put(number - 1, true);
    return set;
}

// What a search needs to know of a feature.
struct FeatureKind {
    std::size_t bins;
    bool categorical;
    bool missing;
};

struct ChildPays {
    double left, right;
};

// What the best stump on a child pays left and right of a root, from the sums of u by its bins and, last, its missing
// values: left + added of the root's left side, total of both sides.
inline ChildPays child_pays(const FeatureKind& child, const double* left, const double* added, const double* total) {
    double pays[2] = {0.0, 0.0};
    if (child.categorical) {
        for (std::size_t k = 0; k <= child.bins; ++k) {
            const double here = left[k] + added[k];
            pays[0] += std::fabs(here);
            pays[1] += std::fabs(total[k] - here);
        }
        return {pays[0], pays[1]};
    }
    double prefix[2] = {0.0, 0.0}, high[2] = {-infinity, -infinity}, low[2] = {infinity, infinity};
    for (std::size_t k = 0; k + 1 < child.bins; ++k) {
        const double here = left[k] + added[k], sums[2] = {here, total[k] - here};
        for (int side = 0; side < 2; ++side) {
            prefix[side] += sums[side];
            high[side] = std::max(high[side], prefix[side]);
            low[side] = std::min(low[side], prefix[side]);
        }
    }
    const std::size_t last = child.bins - 1;
    const double end = left[last] + added[last], absent = left[last + 1] + added[last + 1];
    return {stump_value(high[0], low[0], prefix[0] + end, absent),
            stump_value(high[1], low[1], prefix[1] + total[last] - end, total[last + 1] - absent)};
}

// Offer every root split with what a child pays on its sides: offer(number, variant, pays), where number is a bin or
// the number of a set, and variant 1 sends missing values left. gather(bin, out) adds up the sums of u by the child's
// bins over the rows in a bin of the root.
template <class Gather, class Offer>
void for_each_split(const FeatureKind& root, const FeatureKind& child, Gather&& gather, Offer&& offer) {
    const std::size_t width = child.bins + 1;
    const std::vector<double> nothing(width, 0.0);
    std::vector<double> total(width, 0.0), absent(width, 0.0);
    for (std::size_t bin = 0; bin <= root.bins; ++bin) gather(bin, total.data());
    if (root.missing) gather(root.bins, absent.data());
    auto visit = [&](std::size_t number, const std::vector<double>& left) {
        for (std::size_t variant = 0; variant < (root.missing ? 2 : 1); ++variant)
            offer(number, variant, child_pays(child, left.data(), variant ? absent.data() : nothing.data(), total.data()));
    };
    if (!root.categorical) {
        std::vector<double> left(width, 0.0);
        for (std::size_t t = 0; t + 1 < root.bins; ++t) {
            gather(t, left.data());
            visit(t, left);
        }
        return;
    }
    visit(0, nothing);
    if (root.bins > most_free) {
        std::vector<double> left(width);
        for (std::size_t c = 0; c < root.bins; ++c) {
            std::fill(left.begin(), left.end(), 0.0);
            gather(c, left.data());
            visit(c + 1, left);
        }
        return;
    }
    // A set adds its lowest category to the set without it, which was met before; sums[c]: of the last set met whose
    // lowest category is c.
    std::vector<std::vector<double>> sums(root.bins);
    auto lowest = [](std::size_t set) {
        std::size_t c = 0;
        while ((set >> c & 1) == 0) ++c;
        return c;
    };
    for (std::size_t set = 1; set < count_root_sets(root.bins); ++set) {
        const std::size_t rest = set & (set - 1), c = lowest(set);
        sums[c] = rest == 0 ? nothing : sums[lowest(rest)];
        gather(c, sums[c].data());
        visit(set, sums[c]);
    }
}

// A split of a categorical feature: the categories that go left, and where missing values go.
struct CategorySplit {
    CategorySet set;
    bool missing_left;
};

// Whether more weight goes left, by categories and, last, missing values.
inline bool heavier_left(const std::vector<double>& mass, const CategorySplit& split) {
    double sides[2] = {0.0, 0.0};
    for (std::size_t c = 0; c + 1 < mass.size(); ++c) sides[split.set.has(c)] += mass[c];
    sides[split.missing_left] += mass.back();
    return sides[1] > sides[0];
}

// A root split, with what has no weight sent to where more weight goes. One category against the rest stays that.
inline CategorySplit root_split(std::size_t number, bool missing_left, const std::vector<double>& mass) {
    const std::size_t categories = mass.size() - 1;
    CategorySplit split{root_set(categories, number), missing_left};
    const bool heavier = heavier_left(mass, split);
    if (categories <= most_free)
        for (std::size_t c = 0; c < categories; ++c)
            if (mass[c] == 0.0) split.set.put(c, heavier);
    if (mass.back() == 0.0) split.missing_left = heavier;
    return split;
}

// The best stump over sums and masses by category and, last, of missing values: each goes to the leaf of its sign, and
// what has none to where more weight goes.
struct CategoryStump {
    CategorySplit split;
    double left, right;  // sums of u
};

inline CategoryStump category_stump(const std::vector<double>& sums, const std::vector<double>& mass) {
    const std::size_t categories = sums.size() - 1;
    CategoryStump best{{CategorySet{}, sums.back() > 0.0}, 0.0, 0.0};
    for (std::size_t c = 0; c < categories; ++c) best.split.set.put(c, sums[c] > 0.0);
    for (double sum : sums) (sum > 0.0 ? best.left : best.right) += sum;
    std::vector<double> decided(mass);
    for (std::size_t c = 0; c <= categories; ++c)
        if (sums[c] == 0.0) decided[c] = 0.0;
    const bool heavier = heavier_left(decided, best.split);
    for (std::size_t c = 0; c < categories; ++c)
        if (sums[c] == 0.0) best.split.set.put(c, heavier);
    if (sums.back() == 0.0) best.split.missing_left = heavier;
    return best;
}

}  // namespace frankboost
