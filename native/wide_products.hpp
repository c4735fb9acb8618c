// Pairs of 0/1 features by blocks, as matrix products.
#pragma once

#include <array>

#include "wide_rows.hpp"

namespace frankboost {

constexpr std::size_t block_width = 64;
using Block = std::vector<std::size_t>;  // up to so many features

// Which rows are in the first of the two bins of each feature, block by block, one row after the other.
std::vector<std::uint8_t> block_bits(const HeavyRows& heavy, const Block& block);

// sums[k * width + l]: of the weights of the rows in the first bins of feature k of one block and l of another.
using BlockSums = std::array<std::int32_t, block_width * block_width>;
void block_product(const HeavyRows& heavy, const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b,
                   BlockSums& sums);

// offer(root, 0, child, what the best stump pays left and right of it) for a pair whose first bins share `sum`.
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
