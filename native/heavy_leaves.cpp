// Prepares the search for trees with heavy leaves: finds the thresholds that such trees can use, and the roots whose
// sides weigh enough. Reference: enumeration in tests/learners/test_heavy_leaves.py.
#include "heavy_leaves.hpp"

#include <numeric>

namespace frankboost {
namespace {

// The last bins on the left of those thresholds of each feature at which both sides of all rows weigh enough.
std::vector<std::vector<std::int32_t>> usable_thresholds(const Cells& weights, double least) {
    std::vector<std::vector<std::int32_t>> kept(weights.layout.features());
    for (std::size_t f = 0; f < kept.size(); ++f) {
        const std::vector<double> weight = weights.by_bin(f);
        const double missing = weight.back(), numbers = std::accumulate(weight.begin(), weight.end() - 1, 0.0);
        double left = 0.0;
        for (std::size_t t = 0; t + 2 < weight.size(); ++t) {
            left += weight[t];
            const double right = numbers - left;
            if ((left + missing >= least && right >= least) || (left >= least && right + missing >= least))
                kept[f].push_back(static_cast<std::int32_t>(t));
        }
    }
    return kept;
}

// Whether both sides of a root weigh enough, from the weights by the bins of its feature.
bool weighs_enough(const Split& root, const std::vector<double>& weight, double least) {
    const std::vector<std::uint8_t> left = root.sent_left(weight.size() - 1);
    double sides[2] = {0.0, 0.0};
    for (std::size_t c = 0; c < weight.size(); ++c) sides[left[c]] += weight[c];
    return sides[0] >= least && sides[1] >= least;
}

}  // namespace

LeafWeights::LeafWeights(const Cells& weights_, double least_)
    : weights(weights_), least(least_), bins(weights.layout, usable_thresholds(weights, least)) {
    if (bins.merges()) merged_ = weights.merged(bins);
    const Layout& layout = searched().layout;
    allowed_.resize(layout.size());
    for (std::size_t f = 0; f < layout.features(); ++f) {
        const std::vector<double> by_bin = searched().by_bin(f);
        layout.for_each_root(f, [&](const Root& root) {
            allowed_[layout.place(root)] = weighs_enough(split_of(layout, root), by_bin, least);
        });
    }
}

bool LeafWeights::allow(const Node* tree, const CategorySet* sets) const {
    const auto sent_left = [&](const Node& node) {
        Split split{node, {}};
        if (node.set_index >= 0) split.set = sets[node.set_index];
        split.node.set_index = std::min(node.set_index, 0);
        return split.sent_left(weights.layout[static_cast<std::size_t>(node.feature)].bins);
    };
    const Node& root = tree[0];
    if (root.feature < 0) return true;
    const std::vector<std::uint8_t> root_left = sent_left(root);
    for (const bool on_left : {false, true}) {
        const Node& child = tree[on_left ? root.left : root.right];
        const bool splits = child.feature >= 0;
        const auto g = static_cast<std::size_t>(splits ? child.feature : root.feature);
        std::vector<Amounts> here(weights.layout[g].bins + 1), elsewhere(here.size());
        std::vector<Amounts*> to;
        for (const std::uint8_t left : root_left) to.push_back((left != 0) == on_left ? here.data() : elsewhere.data());
        weights.add(static_cast<std::size_t>(root.feature), g, to.data(), &Amounts::weight);
        const std::vector<std::uint8_t> left = splits ? sent_left(child) : std::vector<std::uint8_t>(here.size());
        double sides[2] = {0.0, 0.0};
        for (std::size_t c = 0; c < here.size(); ++c) sides[left[c]] += here[c].weight;
        if (sides[0] < least || (splits && sides[1] < least)) return false;
    }
    return true;
}

}  // namespace frankboost
