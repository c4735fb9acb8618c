#include "leaf_steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "exponentials.hpp"

namespace frankboost {
namespace {

constexpr std::size_t most_cells = 256;  // of a joint of several trees: its sums stay in the first cache
constexpr std::size_t lanes = 4;         // sums side by side: additions to one cell would wait for each other
constexpr std::size_t block = 512;       // rows

// The slope and the curvature of each row's log-likelihood along its log-odds, one after the other; single precision
// is finer than what leaves are rounded to.
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

// The sums of both by the cell of each row, lane by lane.
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

// The first of the lanes becomes the sum of all.
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
    for (std::size_t t = 0; t < forest.trees; ++t) join(t);
    first_.push_back(leaves_.size());
    const bool narrow =
        std::all_of(joints_.begin(), joints_.end(), [](const Joint& joint) { return joint.cells <= most_cells; });
    if (narrow)
        keys_ = Keys<std::uint8_t>(joints_.size() * rows());
    else
        keys_ = Keys<std::uint32_t>(joints_.size() * rows());
}

// The next tree joins those before it if they share their probabilities and there are few cells.
void LeafSteps::join(std::size_t tree) {
    const auto root = static_cast<std::size_t>(roots_[tree]), nodes = view().count(tree);
    first_.push_back(leaves_.size());
    for (std::size_t k = root; k < root + nodes; ++k)
        if (nodes_[k].feature < 0) leaves_.push_back(k);
    const std::size_t leaves = leaves_.size() - first_.back(), group = tree / rule_.together;
    if (joints_.empty() || joints_.back().group != group || joints_.back().cells * leaves > most_cells)
        joints_.push_back({tree, tree, 1, group});
    Joint& joint = joints_.back();
    for (std::size_t k = 0; k < leaves; ++k)
        nodes_[leaves_[first_.back() + k]].value = static_cast<double>(k * joint.cells);
    joint.cells *= leaves;
    joint.end = tree + 1;
}

void LeafSteps::place(const double* X, std::size_t rows, int threads) {
    std::vector<std::size_t> ends;
    for (const Joint& joint : joints_) ends.push_back(joint.end);
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

// The leaves of a joint's trees, by the sums of its cells; and what each cell adds.
void LeafSteps::move(const Joint& joint, const std::vector<Pair>& sums, std::vector<double>& steps) {
    steps.assign(joint.cells, 0.0);
    std::size_t stride = 1;
    for (std::size_t t = joint.begin; t < joint.end; ++t) {
        const std::size_t leaves = first_[t + 1] - first_[t];
        // The cells of a leaf are stretches of as many as the trees before have together.
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

// One step of trees that see the same probabilities, joints begin to end.
template <class Code>
void LeafSteps::take_group(const Keys<Code>& keys, std::size_t begin, std::size_t end) {
    std::vector<std::vector<Pair>> sums;
    for (std::size_t j = begin; j < end; ++j) sums.emplace_back(lanes * joints_[j].cells);
    const auto key = [&](std::size_t joint, std::size_t i) { return keys.data() + joint * rows() + i; };
    double both[2 * block];
    for (std::size_t at = 0; at < rows(); at += block) {
        const std::size_t count = std::min(block, rows() - at);
        for (std::size_t k = 0; k < waiting_.size(); ++k)
            add_steps(waiting_[k], key(waits_ + k, at), count, log_odds_.data() + at);
        derivatives(log_odds_.data() + at, weight_.data() + at, count, both);
        for (std::size_t j = begin; j < end; ++j)
            scatter(key(j, at), both, count, joints_[j].cells, sums[j - begin].data());
    }
    waiting_.resize(end - begin);
    waits_ = begin;
    for (std::size_t j = begin; j < end; ++j) {
        add_lanes(joints_[j].cells, sums[j - begin].data());
        move(joints_[j], sums[j - begin], waiting_[j - begin]);
    }
}

void LeafSteps::pass() {
    std::visit(
        [&](const auto& keys) {
            for (std::size_t begin = 0, end; begin < joints_.size(); begin = end) {
                for (end = begin; end < joints_.size() && joints_[end].group == joints_[begin].group;) ++end;
                take_group(keys, begin, end);
            }
        },
        keys_);
}

}  // namespace frankboost
