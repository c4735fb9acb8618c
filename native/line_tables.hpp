// The best depth-2 trees on both sides of sixteen splits of one feature at once, one lane for each split.
#pragma once

#include "pair_lanes.hpp"

namespace frankboost {

// Fixed-point weights whose absolute values sum to 2^29 at most, so that no sum of two pay-offs overflows. What
// rounding did, `slack` in all, bounds what it did to any tree; if all weights are multiples of the least, it did
// nothing.
struct LaneWeights {
    std::vector<std::int32_t> weight;
    double unit = 1.0, slack = 0.0;
};

LaneWeights lane_weights(const Rows& rows);

// Whether the tables can have all features: numbers, none of them missing, in not too many bins.
bool fits_lanes(const Layout& layout);

constexpr std::size_t split_lanes = table_lanes - 1;  // the last lane has all rows

// Both sides of up to `split_lanes` splits of one feature, given by their last bins on the left.
class LineTables {
    const Rows& rows_;
    const LaneWeights& weights_;
    std::size_t feature_ = 0;
    std::vector<std::size_t> begin_{};  // of each feature among the stumps
    std::vector<Chunk> mask_{};         // by bin: all bits of the lanes where it goes left
    std::vector<Chunk> left_{};         // of the rows left of each split; all zero between two pairs
    std::vector<std::int32_t> all_{};   // of all rows
    std::vector<Chunk> extremes_{};
    std::vector<Chunk> stumps_[2][2]{};  // [side][child]: by split of the second level, what its best child pays

    void look_at(std::size_t f, std::size_t g);

  public:
    LineTables(const Rows& rows, const LaneWeights& weights);

    // Look at all trees with a wanted feature above another, or below one.
    void look(std::size_t feature, const std::vector<std::size_t>& last_bins, const std::vector<std::uint8_t>& wanted);
    // What the best tree with f at its own root pays left (0) or right (1) of a split; a lower bound if f was not
    // wanted.
    double pays(std::size_t f, std::size_t side, std::size_t lane) const;
};

}  // namespace frankboost
