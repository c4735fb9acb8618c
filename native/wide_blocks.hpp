// The search of very many pairs of features over the heavy rows, one pair of blocks of features at a time.
#pragma once

#include "wide_products.hpp"

namespace frankboost {

// Two blocks of features, or one with itself.
struct BlockPair {
    std::size_t a, b;
};

class WideBlocks {
    std::vector<Block> blocks_;                    // the blocks of all plain features, then those of `pairs_with`
    std::vector<std::vector<std::uint8_t>> bits_;  // block_bits of the blocks of 0/1 features; empty for other blocks
    std::size_t all_ = 0;                          // the number of blocks of all plain features

    void add(const std::vector<std::size_t>& features);

  public:
    const HeavyRows heavy;

    WideBlocks(const Rows& all, double most_left_out, int threads);

    std::vector<BlockPair> pairs() const;
    // The pairs of blocks for all plain features with some of them; valid until the next call.
    std::vector<BlockPair> pairs_with(const std::vector<std::size_t>& features);

    // For every pair of features f, g of two blocks: calls offer(root, number, child, what the best stump pays left of
    // the root, and right of it) for each root split on f and on g, then done(f, g).
    template <class Offer, class Done>
    void for_each_root(const BlockPair& pair, LaneSpace& space, Offer&& offer, Done&& done) const {
        const Block &a = blocks_[pair.a], &b = blocks_[pair.b];
        const bool product = !bits_[pair.a].empty() && !bits_[pair.b].empty();
        const Layout& layout = heavy.rows.layout;
        const FixedPoint& fixed = heavy.fixed;
        BlockSums sums;
        if (product) block_product(heavy, bits_[pair.a], bits_[pair.b], sums);
        for (std::size_t k = 0; k < a.size(); ++k)
            for (std::size_t l = pair.a == pair.b ? k + 1 : 0; l < b.size(); ++l) {
                const std::size_t f = a[k], g = b[l];
                if (f == g) continue;
                if (product) {
                    offer_product(heavy, f, g, sums[k * block_width + l], offer);
                } else {
                    fill_lanes(heavy.rows, fixed, f, g, space);
                    find_lane_stumps(layout, fixed, f, g, space);
                    offer_lanes(layout, fixed, f, g, space, offer);
                }
                done(f, g);
            }
    }
};

}  // namespace frankboost
