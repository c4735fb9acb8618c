// The best depth-2 trees on both sides of up to fifteen splits of one feature at once, one vector lane per split.
#pragma once

#include "pair_lanes.hpp"

namespace frankboost {

// Fixed-point weights whose absolute values sum to at most 2^29, so that no sum of two values overflows. The rounding
// errors of the weights sum to `slack`, which bounds the error of any tree. If all weights are multiples of the
// smallest one, there is no error.
struct LaneWeights {
    std::vector<std::int32_t> weight;
    double unit = 1.0, slack = 0.0;
};

LaneWeights lane_weights(const Rows& rows);

// Whether tables can have all features: numbers without missing values, in not too many bins.
bool fits_lanes(const Layout& layout);

constexpr std::size_t split_lanes = table_lanes - 1;  // the last lane has all rows

// Both sides of up to `split_lanes` splits of one feature, given by their last bins on the left.
class LineTables {
    const Rows& rows_;
    const LaneWeights& weights_;
    std::size_t feature_ = 0;
    std::vector<std::size_t> begin_{};  // where each feature begins in `stumps_`
    std::vector<Chunk> mask_{};         // by bin: all bits set in the lanes whose splits send the bin left
    std::vector<Chunk> left_{};         // the table of the rows left of each split; all zero between two pairs
    std::vector<std::int32_t> all_{};   // the table of all rows
    std::vector<Chunk> extremes_{};
    std::vector<Chunk> stumps_[2][2]{};  // [side][child]: what the best child of each second-level split pays

    void search_pair(std::size_t f, std::size_t g);

  public:
    LineTables(const Rows& rows, const LaneWeights& weights);

    // Searches all depth-2 trees with a wanted feature at their root or below it, on both sides of splits of `feature`.
    void search(std::size_t feature, const std::vector<std::size_t>& last_bins,
                const std::vector<std::uint8_t>& wanted);
    // What the best tree with f at its root pays on the left (0) or right (1) side of the split of a lane; a lower
    // bound if f was not wanted.
    double pays(std::size_t f, std::size_t side, std::size_t lane) const;
};

}  // namespace frankboost
