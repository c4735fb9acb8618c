#include "grow.hpp"

#include <numeric>
#include <tuple>
#include <utility>

namespace frankboost {
namespace {

template <class Code>
Split split_of_rows(const Rows<Code>& rows, const Root& root) {
    return split_of(rows.layout, root, [&] { return histogram(rows, root.feature, mass); });
}

// Which rows a split sends left.
template <class Code>
std::vector<std::uint8_t> goes_left(const Rows<Code>& rows, const Split& split) {
    std::vector<std::uint8_t> left(rows.size());
    const auto f = static_cast<std::size_t>(split.feature);
    const Code* codes = rows.codes[f];
    const std::size_t bins = rows.layout[f].bins;
    if (rows.layout[f].categorical) {
        CategorySet goes = split.set;
        goes.put(bins, split.missing_left);
        for (std::size_t i = 0; i < rows.size(); ++i) left[i] = goes.has(static_cast<std::size_t>(codes[i]));
        return left;
    }
    const auto missing = static_cast<std::int32_t>(bins);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto code = static_cast<std::int32_t>(codes[i]);
        left[i] = static_cast<std::uint8_t>((code <= split.bin) | (split.missing_left & (code == missing)));
    }
    return left;
}

// The best stump on g[1] over the rows left of a root, and on g[0] over those right of it, in one pass without a
// branch: which side a row is on cannot be predicted.
template <class Code>
std::pair<Stump, Stump> best_children(const Rows<Code>& rows, const std::vector<std::uint8_t>& left,
                                      const std::size_t (&g)[2]) {
    std::vector<double> sums[2];
    for (int side = 0; side < 2; ++side) sums[side].assign(rows.layout[g[side]].bins + 1, 0.0);
    const Code* codes[2] = {rows.codes[g[0]], rows.codes[g[1]]};
    double* const cells[2] = {sums[0].data(), sums[1].data()};
    for (std::size_t i = 0; i < rows.size(); ++i) cells[left[i]][codes[left[i]][i]] += rows.weight[i];
    auto child = [&](std::size_t side) {
        return best_stump(rows.layout, g[side], sums[side], [&] {
            std::vector<double> masses(sums[side].size(), 0.0);
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (left[i] == side) masses[codes[side][i]] += mass(rows.weight[i]);
            return masses;
        });
    };
    return {child(1), child(0)};
}

}  // namespace

Stump number_stump(std::size_t g, const std::vector<double>& sums) {
    const std::size_t bins = sums.size() - 1;
    const double absent = sums[bins];
    const double present = std::accumulate(sums.begin(), sums.end() - 1, 0.0), sum = present + absent;
    Stump best;
    best.split.feature = static_cast<std::int32_t>(g);
    best.left = sum;
    double value = std::fabs(sum), prefix = 0.0;
    for (std::size_t t = 0; t + 1 < bins; ++t) {
        prefix += sums[t];
        for (int variant = 0; variant < 2; ++variant) {
            const double left = prefix + (variant ? absent : 0.0);
            if (std::fabs(2.0 * left - sum) > value) {
                value = std::fabs(2.0 * left - sum);
                best.split.bin = static_cast<std::int32_t>(t);
                best.split.missing_left = variant == 1;
                best.left = left;
                best.right = sum - left;
            }
        }
    }
    return best;
}

Stump category_stump(std::size_t g, const std::vector<double>& sums, const std::vector<double>& mass) {
    const std::size_t categories = sums.size() - 1;
    Stump best;
    best.split.feature = static_cast<std::int32_t>(g);
    for (double sum : sums) (sum > 0.0 ? best.left : best.right) += sum;
    if (best.left <= 0.0 || best.right >= 0.0) return best;
    CategorySet set;
    std::vector<double> decided(mass);
    for (std::size_t c = 0; c <= categories; ++c) {
        if (c < categories) set.put(c, sums[c] > 0.0);
        if (sums[c] == 0.0) decided[c] = 0.0;
    }
    const bool heavier = heavier_left(decided, set, sums.back() > 0.0);
    for (std::size_t c = 0; c < categories; ++c)
        if (sums[c] == 0.0) set.put(c, heavier);
    const bool missing_left = sums.back() == 0.0 ? heavier : sums.back() > 0.0;
    best.split = {best.split.feature, 0, missing_left, true, set};
    return best;
}

template <class Code>
TwoLevels grow(const Rows<Code>& rows, const Root& root, std::size_t left_feature, std::size_t right_feature) {
    TwoLevels tree;
    tree.root = split_of_rows(rows, root);
    std::tie(tree.left, tree.right) = best_children(rows, goes_left(rows, tree.root), {right_feature, left_feature});
    tree.value = tree.left.pay() + tree.right.pay();
    return tree;
}

template <class Code>
TwoLevels grow_best(const Rows<Code>& rows, const Root& root) {
    TwoLevels tree;
    tree.root = split_of_rows(rows, root);
    const std::vector<std::uint8_t> left = goes_left(rows, tree.root);
    for (std::size_t g = 0; g < rows.features(); ++g) {
        const auto [on_left, on_right] = best_children(rows, left, {g, g});
        if (g == 0 || on_left.pay() > tree.left.pay()) tree.left = on_left;
        if (g == 0 || on_right.pay() > tree.right.pay()) tree.right = on_right;
    }
    tree.value = tree.left.pay() + tree.right.pay();
    return tree;
}

#define FRANKBOOST_FOR(Code)                                                           \
    template TwoLevels grow(const Rows<Code>&, const Root&, std::size_t, std::size_t); \
    template TwoLevels grow_best(const Rows<Code>&, const Root&);
FRANKBOOST_FOR(std::uint8_t)
FRANKBOOST_FOR(std::int32_t)

}  // namespace frankboost
