// Pairs of 0/1 features by blocks, as matrix products.
#pragma once

#include <array>

#include "wide_rows.hpp"

namespace frankboost {

constexpr std::size_t block_width = 64;
using Block = std::vector<std::size_t>;  // up to block_width features

// For each row, block_width flags: whether the row is in the first of the two bins of each feature of the block.
std::vector<std::uint8_t> block_bits(const HeavyRows& heavy, const Block& block);

// sums[k * block_width + l] = the sum of the weights of the rows that are in the first bins both of feature k of block
// a and of feature l of block b.
using BlockSums = std::array<std::int32_t, block_width * block_width>;
void block_product(const HeavyRows& heavy, const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b,
                   BlockSums& sums);

// Calls offer(root, 0, child, what the best stump pays left of the root, and right of it) for both roots of a pair;
// `sum` is the weight of the rows in the first bins of both features.
template <class Offer>
FRANKBOOST_INLINE void offer_product(const HeavyRows& heavy, std::size_t f, std::size_t g, std::int32_t sum,
                                     Offer&& offer) {
    const auto size = [unit = heavy.fixed.unit](std::int32_t x, std::int32_t y) {
        return unit * (std::fabs(static_cast<double>(x)) + std::fabs(static_cast<double>(y)));
    };
    const std::int32_t first_f = heavy.fixed.row_total[f][0], first_g = heavy.fixed.row_total[g][0];
    const std::int32_t neither = heavy.fixed.row_total[f][1] - first_f - (first_g - sum);
    offer(f, 0, g, size(sum, first_f - sum), size(first_g - sum, neither));
    offer(g, 0, f, size(sum, first_g - sum), size(first_f - sum, neither));
}

}  // namespace frankboost
