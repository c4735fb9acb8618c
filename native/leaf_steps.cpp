// Computes the log-odds of leaves by boosting steps of Newton's method, over trees whose splits stay. The leaves that a
// row reaches in several trees make one small key, so that one pass over the rows sums slopes and curvatures for all
// these trees. Reference: leaf_steps of tests/reference.py.
#include "leaf_steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "exponentials.hpp"

namespace frankboost {
namespace {

constexpr std::size_t most_cells = 256;  // of a key group of several trees, so that its sums stay in the first cache
constexpr std::size_t lanes = 4;         // copies of the sums: additions to the same cell wait for each other
constexpr std::size_t block = 512;       // rows

// out = the slope and the curvature of each row's log-likelihood along its log-odds, in turns. Single precision is
// finer than the rounding of leaves.
FRANKBOOST_VECTORISED void derivatives(const double* log_odds, const double* weight, std::size_t count, double* out) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto odds = static_cast<float>(log_odds[i]);
        const float margin = weight[i] < 0.0 ? -odds : odds;
        const float e = exp_negative(-std::fabs(margin)), share = 1.0f / (1.0f + e), other = e * share;
        out[2 * i] = weight[i] * static_cast<double>(margin < 0.0f ? share : other);
        out[2 * i + 1] = std::fabs(weight[i]) * static_cast<double>(share * other);
    }
}

template <class Code>
void add_steps(const std::vector<double>& steps, const Code* key, std::size_t count, double* log_odds) {
    for (std::size_t i = 0; i < count; ++i) log_odds[i] += steps[key[i]];
}

// Adds slopes and curvatures to the sums of each row's cell; rows take turns at the lanes.
template <class Code>
void scatter(const Code* key, const double* derivatives, std::size_t count, std::size_t cells, Pair* sums) {
    const auto add = [&](std::size_t lane, std::size_t i) {
        Pair pair;
        std::memcpy(&pair, derivatives + 2 * i, sizeof pair);
        sums[lane * cells + key[i]] += pair;
    };
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) add(lane, i + lane);
    for (std::size_t lane = 0; i < count; ++i, ++lane) add(lane, i);
}

// Adds all lanes to the first one.
void add_lanes(std::size_t cells, Pair* sums) {
    for (std::size_t lane = 1; lane < lanes; ++lane)
        for (std::size_t k = 0; k < cells; ++k) sums[k] += sums[lane * cells + k];
}

}  // namespace

LeafSteps::LeafSteps(const TreesView& forest, std::size_t sets, std::size_t features, std::vector<double> weight,
                     double start, LeafRule rule)
    : rule_(rule), features_(features), nodes_(forest.begin(), forest.end()),
      roots_(forest.roots, forest.roots + forest.trees), sets_(forest.sets, forest.sets + sets),
      weight_(std::move(weight)), log_odds_(weight_.size(), start), values_(forest.size, 0.0) {
    for (std::size_t t = 0; t < forest.trees; ++t) assign_keys(t);
    first_.push_back(leaves_.size());
    const bool narrow = std::all_of(key_groups_.begin(), key_groups_.end(),
                                    [](const KeyGroup& joint) { return joint.cells <= most_cells; });
    if (narrow)
        keys_ = Keys<std::uint8_t>(key_groups_.size() * rows());
    else
        keys_ = Keys<std::uint32_t>(key_groups_.size() * rows());
}

// Adds a tree to the last key group if it sees the same probabilities and few cells result; else it starts a group.
void LeafSteps::assign_keys(std::size_t tree) {
    const auto root = static_cast<std::size_t>(roots_[tree]), nodes = view().count(tree);
    first_.push_back(leaves_.size());
    for (std::size_t k = root; k < root + nodes; ++k)
        if (nodes_[k].feature < 0) leaves_.push_back(k);
    const std::size_t leaves = leaves_.size() - first_.back(), group = tree / rule_.together;
    if (key_groups_.empty() || key_groups_.back().group != group || key_groups_.back().cells * leaves > most_cells)
        key_groups_.push_back({tree, tree, 1, group});
    KeyGroup& joint = key_groups_.back();
    for (std::size_t k = 0; k < leaves; ++k)
        nodes_[leaves_[first_.back() + k]].value = static_cast<double>(k * joint.cells);
    joint.cells *= leaves;
    joint.end = tree + 1;
}

void LeafSteps::place(const double* X, std::size_t rows, int threads) {
    std::vector<std::size_t> ends;
    for (const KeyGroup& joint : key_groups_) ends.push_back(joint.end);
    const std::vector<double> ones(roots_.size(), 1.0);
    std::visit(
        [&](auto& keys) {
            using Code = typename std::decay_t<decltype(keys)>::value_type;
            const auto take = [&](std::size_t joint, std::size_t begin, std::size_t count, const double* key) {
                Code* out = keys.data() + joint * this->rows() + placed_ + begin;
                for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<Code>(key[i]);
            };
            votes_of_groups(view(), ones.data(), ends, X, rows, features_, take, threads);
        },
        keys_);
    placed_ += rows;
}

// Moves the leaves of a key group's trees by the sums of its cells; steps[cell] becomes the change of a row's log-odds.
void LeafSteps::move(const KeyGroup& joint, const std::vector<Pair>& sums, std::vector<double>& steps) {
    steps.assign(joint.cells, 0.0);
    std::size_t stride = 1;
    for (std::size_t t = joint.begin; t < joint.end; ++t) {
        const std::size_t leaves = first_[t + 1] - first_[t];
        // The cells of a leaf are stretches of `stride` cells, the number of cells of the trees before it.
        const auto each_cell = [&](std::size_t leaf, auto&& work) {
            for (std::size_t at = leaf * stride; at < joint.cells; at += leaves * stride)
                for (std::size_t cell = at; cell < at + stride; ++cell) work(cell);
        };
        for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
            Pair sum{};
            each_cell(leaf, [&](std::size_t cell) { sum += sums[cell]; });
            const double step = rule_.rate * sum[0] / (sum[1] + rule_.held);
            values_[leaves_[first_[t] + leaf]] += step;
            each_cell(leaf, [&](std::size_t cell) { steps[cell] += step; });
        }
        stride *= leaves;
    }
}

// Takes one step of the trees that see the same probabilities: key groups begin .. end.
template <class Code>
void LeafSteps::take_group(const Keys<Code>& keys, std::size_t begin, std::size_t end) {
    std::vector<std::vector<Pair>> sums;
    for (std::size_t j = begin; j < end; ++j) sums.emplace_back(lanes * key_groups_[j].cells);
    const auto key = [&](std::size_t joint, std::size_t i) { return keys.data() + joint * rows() + i; };
    double both[2 * block];
    for (std::size_t at = 0; at < rows(); at += block) {
        const std::size_t count = std::min(block, rows() - at);
        for (std::size_t k = 0; k < pending_.size(); ++k)
            add_steps(pending_[k], key(first_pending_ + k, at), count, log_odds_.data() + at);
        derivatives(log_odds_.data() + at, weight_.data() + at, count, both);
        for (std::size_t j = begin; j < end; ++j)
            scatter(key(j, at), both, count, key_groups_[j].cells, sums[j - begin].data());
    }
    pending_.resize(end - begin);
    first_pending_ = begin;
    for (std::size_t j = begin; j < end; ++j) {
        add_lanes(key_groups_[j].cells, sums[j - begin].data());
        move(key_groups_[j], sums[j - begin], pending_[j - begin]);
    }
}

void LeafSteps::pass() {
    std::visit(
        [&](const auto& keys) {
            for (std::size_t begin = 0, end; begin < key_groups_.size(); begin = end) {
                for (end = begin; end < key_groups_.size() && key_groups_[end].group == key_groups_[begin].group;)
                    ++end;
                take_group(keys, begin, end);
            }
        },
        keys_);
}

}  // namespace frankboost
