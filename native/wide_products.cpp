// Computes the tables of all pairs of two blocks of 0/1 features. Such a table follows from one sum over rows, and
// those of two blocks are a matrix product, in which fixed point turns the product by 0 or 1 into a mask. Reference:
// tests/learners/test_wide_trees.py, which compares the whole search with one over all pairs.
#include "wide_products.hpp"

#include <memory>

namespace frankboost {
namespace {

constexpr std::size_t rows_at_once = 128;   // so that the terms of both blocks stay in the cache
constexpr std::size_t tall = 8, broad = 2;  // features of each block whose sums are kept in registers

// For each row and feature of a block: the row's weight or 0, or the mask by which a weight is multiplied.
struct RowTerms {
    alignas(64) std::int32_t cell[rows_at_once * block_width];
};

FRANKBOOST_VECTORISED void spread_weights(const std::uint8_t* bits, const std::int32_t* weight, std::size_t rows,
                                          RowTerms& out) {
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < block_width; ++k)
            out.cell[i * block_width + k] = -static_cast<std::int32_t>(bits[i * block_width + k]) & weight[i];
}

FRANKBOOST_VECTORISED void spread_masks(const std::uint8_t* bits, std::size_t rows, RowTerms& out) {
    for (std::size_t at = 0; at < rows * block_width; ++at) out.cell[at] = -static_cast<std::int32_t>(bits[at]);
}

FRANKBOOST_VECTORISED void add_products(const RowTerms& weights, const RowTerms& masks, std::size_t rows,
                                        std::int32_t* sums) {
    const auto* mask = reinterpret_cast<const Chunk*>(masks.cell);
    constexpr std::size_t vectors = block_width / table_lanes;
    for (std::size_t k = 0; k < block_width; k += tall)
        for (std::size_t v = 0; v < vectors; v += broad) {
            Lanes sum[tall][broad] = {};
            for (std::size_t i = 0; i < rows; ++i) {
                const Lanes first = mask[i * vectors + v].lanes, second = mask[i * vectors + v + 1].lanes;
                const std::int32_t* weight = weights.cell + i * block_width + k;
                for (std::size_t r = 0; r < tall; ++r) {
                    sum[r][0] += first & weight[r];
                    sum[r][1] += second & weight[r];
                }
            }
            for (std::size_t r = 0; r < tall; ++r)
                for (std::size_t c = 0; c < broad; ++c)
                    for (std::size_t lane = 0; lane < table_lanes; ++lane)
                        sums[(k + r) * block_width + (v + c) * table_lanes + lane] += sum[r][c][lane];
        }
}

}  // namespace

std::vector<std::uint8_t> block_bits(const HeavyRows& heavy, const Block& block) {
    std::vector<std::uint8_t> bits(heavy.rows.size() * block_width, 0);
    for (std::size_t k = 0; k < block.size(); ++k) {
        const auto put = [&](const auto* code) {
            for (std::size_t i = 0; i < heavy.rows.size(); ++i) bits[i * block_width + k] = code[i] == 0;
        };
        heavy.rows.with_codes(put, block[k]);
    }
    return bits;
}

void block_product(const HeavyRows& heavy, const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b,
                   BlockSums& sums) {
    const std::unique_ptr<RowTerms> weights(new RowTerms), masks(new RowTerms);  // too large for a small stack
    sums.fill(0);
    for (std::size_t begin = 0; begin < heavy.rows.size(); begin += rows_at_once) {
        const std::size_t rows = std::min(rows_at_once, heavy.rows.size() - begin);
        spread_weights(a.data() + begin * block_width, heavy.fixed.weight.data() + begin, rows, *weights);
        spread_masks(b.data() + begin * block_width, rows, *masks);
        add_products(*weights, *masks, rows, sums.data());
    }
}

}  // namespace frankboost
