// Very many pairs of features over the heavy rows, a block of features against another at a time.
#pragma once

#include "wide_products.hpp"

namespace frankboost {

// Two blocks of features, or one with itself.
struct BlockPair {
    std::size_t a, b;
};

class WideBlocks {
    std::vector<Block> blocks_;  // of all plain features, then of some; those of 0/1 features are apart
    std::vector<std::vector<std::uint8_t>> bits_;  // of the blocks of 0/1 features
    std::size_t all_ = 0;

    void add(const std::vector<std::size_t>& features);

  public:
    const HeavyRows heavy;

    WideBlocks(const Rows& all, double most_left_out, int threads);

    std::vector<BlockPair> pairs() const;
    // All plain features against some of them, until others are asked for.
    std::vector<BlockPair> pairs_with(const std::vector<std::size_t>& features);

    // offer(root, number, child, what stumps pay left and right of it) and then done(f, g), for the pairs of two
    // blocks.
    template <class Offer, class Done>
    void look_at(const BlockPair& pair, LaneSpace& space, Offer&& offer, Done&& done) const {
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
                    see_lanes(layout, fixed, f, g, space);
                    offer_lanes(layout, fixed, f, g, space, offer);
                }
                done(f, g);
            }
    }
};

}  // namespace frankboost
