// Divides the features into blocks, and lists the pairs of blocks to search. Reference:
// tests/learners/test_wide_trees.py, which compares the whole search with one over all pairs.
#include "wide_blocks.hpp"

#include <numeric>

namespace frankboost {

WideBlocks::WideBlocks(const Rows& all, double most_left_out, int threads) : heavy(all, most_left_out, threads) {
    std::vector<std::size_t> features(all.features());
    std::iota(features.begin(), features.end(), std::size_t{0});
    add(features);
    all_ = blocks_.size();
}

void WideBlocks::add(const std::vector<std::size_t>& features) {
    const auto add_block = [&](Block& block, bool two) {
        bits_.push_back(two ? block_bits(heavy, block) : std::vector<std::uint8_t>{});
        blocks_.push_back(std::exchange(block, {}));
    };
    for (const bool two : {true, false}) {
        Block block;
        for (std::size_t f : features) {
            if (!heavy.plain(f) || (heavy.rows.layout[f].bins == 2) != two) continue;
            block.push_back(f);
            if (block.size() == block_width) add_block(block, two);
        }
        if (!block.empty()) add_block(block, two);
    }
}

std::vector<BlockPair> WideBlocks::pairs() const {
    std::vector<BlockPair> pairs;
    for (std::size_t a = 0; a < all_; ++a)
        for (std::size_t b = a; b < all_; ++b) pairs.push_back({a, b});
    return pairs;
}

std::vector<BlockPair> WideBlocks::pairs_with(const std::vector<std::size_t>& features) {
    blocks_.resize(all_);
    bits_.resize(all_);
    add(features);
    std::vector<BlockPair> pairs;
    for (std::size_t a = all_; a < blocks_.size(); ++a)
        for (std::size_t b = 0; b < all_; ++b) pairs.push_back({a, b});
    return pairs;
}

}  // namespace frankboost
