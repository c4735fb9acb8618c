// From a root split to a tree of depth 2.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows.hpp"

namespace frankboost {

// A stump and the sums of u in its leaves; without a split a leaf, whose sum is `left`.
struct Stump {
    Split split;
    double left = 0.0, right = 0.0;
    double pay() const { return std::fabs(left) + std::fabs(right); }
};

struct TwoLevels {
    Split root;
    Stump left, right;
    double value = -1.0;
};

// A root split as the survey knows it.
struct Root {
    std::size_t feature;
    std::size_t number;  // the last bin that goes left, or the number of a set of categories
    std::size_t variant;
};

template <class Visit>
void for_each_root(const FeatureKind& kind, std::size_t f, Visit&& visit) {
    // The empty set splits only missing values off; a last bin that is the last of all splits nothing off.
    const std::size_t end = kind.numbers - (kind.categorical ? 0 : 1);
    for (std::size_t number = 0; number < end; ++number)
        for (std::size_t variant = kind.categorical && number == 0 ? 1 : 0; variant < kind.variants; ++variant)
            visit(Root{f, number, variant});
}

// The split of a root, given the masses by bin of a categorical feature.
template <class Masses>
Split split_of(const Layout& layout, const Root& root, Masses&& masses) {
    if (layout[root.feature].categorical) return root_split(root.feature, root.number, root.variant == 1, masses());
    return {static_cast<std::int32_t>(root.feature), static_cast<std::int32_t>(root.number), root.variant == 1};
}

// The best stump over the sums of u by bin, or a single leaf if no split pays more; masses() if the feature is
// categorical: each category goes to the leaf of its sign, and what has none to where more weight goes.
Stump number_stump(std::size_t g, const std::vector<double>& sums);
Stump category_stump(std::size_t g, const std::vector<double>& sums, const std::vector<double>& mass);

template <class Masses>
Stump best_stump(const Layout& layout, std::size_t g, const std::vector<double>& sums, Masses&& masses) {
    return layout[g].categorical ? category_stump(g, sums, masses()) : number_stump(g, sums);
}

// The tree below a root, with each child on the given feature.
template <class Code>
TwoLevels grow(const Rows<Code>& rows, const Root& root, std::size_t left_feature, std::size_t right_feature);

// The tree below a root, with each child on the best of all features.
template <class Code>
TwoLevels grow_best(const Rows<Code>& rows, const Root& root);

}  // namespace frankboost
