// Prepares the search for trees with heavy leaves: it drops thresholds that no such tree can use, which makes bounds
// far closer, and finds the roots whose sides weigh enough. Reference: enumeration in
// tests/learners/test_heavy_leaves.py.
#include "heavy_leaves.hpp"

#include <numeric>

namespace frankboost {
namespace {

// The last bins on the left of those thresholds at which both sides of all rows weigh enough, from the weights by bin.
std::vector<std::int32_t> usable(const std::vector<double>& weight, double least) {
    const double missing = weight.back(), bar = least * (1.0 - 1e-9);  // sums in another order may be a little more
    const double numbers = std::accumulate(weight.begin(), weight.end() - 1, 0.0);
    std::vector<std::int32_t> kept;
    double left = 0.0;
    for (std::size_t t = 0; t + 2 < weight.size(); ++t) {
        left += weight[t];
        const double right = numbers - left;
        if ((left + missing >= bar && right >= bar) || (left >= bar && right + missing >= bar))
            kept.push_back(static_cast<std::int32_t>(t));
    }
    return kept;
}

// Whether both sides of a root do, from the weights by the bins of its feature.
bool weighs_enough(const Split& root, const std::vector<double>& weight, double least) {
    const std::vector<std::uint8_t> left = root.sent_left(weight.size() - 1);
    double sides[2] = {0.0, 0.0};
    for (std::size_t c = 0; c < weight.size(); ++c) sides[left[c]] += weight[c];
    return sides[0] >= least && sides[1] >= least;
}

}  // namespace

template <class Code>
void LeafWeights::fill(const Code* from) {
    auto& codes = codes_.emplace<std::vector<Code>>(data_.features * data_.rows);
    for (std::size_t f = 0; f < data_.features; ++f) {
        std::vector<Code> code(static_cast<std::size_t>(data_.bins[f]) + 1);
        std::iota(code.begin(), code.end(), Code{0});
        if (data_.categorical[f] == 0) {
            std::size_t bin = 0;
            for (std::size_t c = 0; c + 1 < code.size(); ++c) {
                code[c] = static_cast<Code>(bin);
                if (bin < kept_[f].size() && kept_[f][bin] == static_cast<std::int32_t>(c)) ++bin;
            }
            code.back() = static_cast<Code>(bins_[f]);
        }
        for (std::size_t i = f * data_.rows; i < (f + 1) * data_.rows; ++i) codes[i] = code[from[i]];
    }
    data_.codes = codes.data();
}

LeafWeights::LeafWeights(const Features& data, const double* weight_, double least_)
    : kept_(data.features), data_(data), weight(weight_, weight_ + data.rows), least(least_) {
    const Rows all(data, weight_);
    for (std::size_t f = 0; f < data.features; ++f) {
        if (data.categorical[f] == 0) kept_[f] = usable(histogram(all, f, signed_weight), least);
        bins_.push_back(data.categorical[f] != 0 ? data.bins[f] : static_cast<std::int32_t>(kept_[f].size()) + 1);
    }
    std::visit([&](const auto* from) { fill(from); }, data.codes);
    data_.bins = bins_.data();
    for (std::size_t f = 0; data.present != nullptr && f < data.features; ++f)
        present_.push_back(data.present[f] != 0 && !kept_[f].empty() && kept_[f].back() == data.bins[f] - 2);
    data_.present = data.present == nullptr ? nullptr : present_.data();
    const Rows rows(data_, weight_);
    allowed_.resize(rows.layout.size());
    for (std::size_t f = 0; f < data.features; ++f) {
        const std::vector<double> by_bin = histogram(rows, f, signed_weight);
        rows.layout.for_each_root(f, [&](const Root& root) {
            allowed_[rows.layout.place(root)] = weighs_enough(split_of(rows.layout, root), by_bin, least);
        });
    }
}

Trees LeafWeights::restored(Trees trees) const {
    for (Node& node : trees.nodes)
        if (node.feature >= 0 && node.set_index < 0)
            node.last_bin = kept_[static_cast<std::size_t>(node.feature)][static_cast<std::size_t>(node.last_bin)];
    return trees;
}

}  // namespace frankboost
