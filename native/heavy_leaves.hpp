// The constraint that each leaf of a tree holds at least a given weight of the training rows.
#pragma once

#include <optional>

#include "survey.hpp"

namespace frankboost {

// The weights of the rows, and the features with those thresholds alone that a node could use: bounds over these are
// far closer where values are rare. Made once for all searches; categories stay.
class LeafWeights {
    std::vector<std::vector<std::int32_t>> kept_;
    std::vector<std::int32_t> bins_{};
    std::vector<std::uint8_t> present_{};
    std::variant<std::vector<std::uint8_t>, std::vector<std::int32_t>> codes_{};
    std::vector<std::uint8_t> allowed_{};  // of each root, whether both of its sides weigh enough
    Features data_;

    template <class Code>
    void fill(const Code* from);

  public:
    const std::vector<double> weight;
    const double least;  // of a leaf

    LeafWeights(const Features& data, const double* weight, double least);
    LeafWeights(const LeafWeights&) = delete;  // features point into this

    const Features& features() const { return data_; }
    // Whether both sides of a root weigh enough, by its place.
    bool allow(std::size_t at) const { return allowed_[at] != 0; }
    // The trees with splits of the features as they were.
    Trees restored(Trees trees) const;
};

// Sums over some rows: of u, and of the weights.
struct Amounts {
    double u = 0.0, weight = 0.0;
    Amounts operator+(const Amounts& other) const { return {u + other.u, weight + other.weight}; }
    Amounts operator-(const Amounts& other) const { return {u - other.u, weight - other.weight}; }
};

// The best stump on g, or a leaf if no split pays more, from the sums by its bins and, last, of missing values, and
// from those of all.
Stump heavy_stump(const Layout& layout, std::size_t g, const Reach& reach, const Amounts* sums, const Amounts& all,
                  double least);

// The children on g that pay most of those whose votes are in order, on the side that votes less and on the other; none
// if no four leaves weigh enough.
using OrderedPair = std::array<Stump, 2>;
std::optional<OrderedPair> heavy_in_order(const Layout& layout, std::size_t g, const Amounts* less, const Amounts* more,
                                          double least);

}  // namespace frankboost
