// Computes the best depth-2 trees on both sides of up to fifteen splits of one feature, in one pass over the rows. A
// cell of the table of two features has one lane per split, the sum over the rows left of the split, and a last lane
// for all rows; right sides are differences. All steps of pair_tables.cpp then work on all lanes at once. Reference:
// brute force in tests/learners/test_certified_trees.py.
#include "line_tables.hpp"

#include <numeric>

namespace frankboost {
namespace {

FRANKBOOST_INLINE Lanes larger(const Lanes& a, const Lanes& b) { return a > b ? a : b; }
FRANKBOOST_INLINE Lanes smaller(const Lanes& a, const Lanes& b) { return a < b ? a : b; }

FRANKBOOST_INLINE Lanes stump_pays(const Lanes& high, const Lanes& low, const Lanes& sum) {
    return larger(larger(sum, -sum), larger(2 * high - sum, sum - 2 * low));
}

// Sums the table along both axes.
FRANKBOOST_VECTORISED void accumulate(Chunk* cell, std::size_t F, std::size_t G) {
    for (std::size_t t = 0; t < F; ++t) {
        Chunk* const here = cell + t * G;
        Lanes along{};
        if (t == 0)
            for (std::size_t k = 0; k < G; ++k) here[k].lanes = along += here[k].lanes;
        else
            for (std::size_t k = 0; k < G; ++k) here[k].lanes = (along += here[k].lanes) + (here - G)[k].lanes;
    }
}

// What the best child on one of two features pays on each side of every split of the other feature.
struct ChildPays {
    Chunk *f_left, *f_right, *g_left, *g_right;  // left and right of the splits on f, and of those on g
};

FRANKBOOST_INLINE void offer(Chunk& pays, const Lanes& value) { pays.lanes = larger(pays.lanes, value); }

// Finds the best children on one side of the lanes' splits. Splits that send all rows one way count too: they pay what
// a leaf pays. The scan of the right side empties the table.
template <bool right>
FRANKBOOST_INLINE void scan_side(Chunk* cell, const std::int32_t* all, std::size_t F, std::size_t G, Chunk* extremes,
                                 const ChildPays& pays) {
    Chunk *const total = extremes, *const high_left = total + G, *const low_left = high_left + G,
                 *const high_right = low_left + G, *const low_right = high_right + G;
    for (std::size_t k = 0; k < G; ++k) {
        const Lanes left = cell[(F - 1) * G + k].lanes;
        total[k].lanes = right ? all[(F - 1) * G + k] - left : left;
    }
    for (std::size_t k = G; k < 5 * G; ++k) extremes[k].lanes = Lanes{};
    const Lanes whole = total[G - 1].lanes;
    for (std::size_t t = 0; t < F; ++t) {
        Chunk* const row = cell + t * G;
        const std::int32_t* const all_row = all + t * G;
        const Lanes end = row[G - 1].lanes, sum = right ? all_row[G - 1] - end : end;
        Lanes hl{}, ll{}, hr{}, lr{};
        for (std::size_t k = 0; k < G; ++k) {
            const Lanes left = row[k].lanes, here = right ? all_row[k] - left : left;
            const Lanes below = total[k].lanes - here, beside = sum - here;
            hl = larger(hl, here);
            ll = smaller(ll, here);
            hr = larger(hr, below);
            lr = smaller(lr, below);
            high_left[k].lanes = larger(high_left[k].lanes, here);
            low_left[k].lanes = smaller(low_left[k].lanes, here);
            high_right[k].lanes = larger(high_right[k].lanes, beside);
            low_right[k].lanes = smaller(low_right[k].lanes, beside);
            if (right) row[k].lanes = Lanes{};
        }
        offer(pays.f_left[t], stump_pays(hl, ll, sum));
        offer(pays.f_right[t], stump_pays(hr, lr, whole - sum));
    }
    for (std::size_t k = 0; k < G; ++k) {
        const Lanes sum = total[k].lanes;
        offer(pays.g_left[k], stump_pays(high_left[k].lanes, low_left[k].lanes, sum));
        offer(pays.g_right[k], stump_pays(high_right[k].lanes, low_right[k].lanes, whole - sum));
    }
}

FRANKBOOST_VECTORISED void scan_sides(Chunk* cell, const std::int32_t* all, std::size_t F, std::size_t G,
                                      Chunk* extremes, const ChildPays& left, const ChildPays& right) {
    scan_side<false>(cell, all, F, G, extremes, left);
    scan_side<true>(cell, all, F, G, extremes, right);
}

template <class Code>
FRANKBOOST_INLINE void fill_lanes_of(Chunk* cell, std::size_t G, const Code* cf, const Code* cg, const Code* cr,
                                     const Chunk* mask, const std::int32_t* weight, std::size_t rows) {
    for (std::size_t i = 0; i < rows; ++i) {
        Lanes& lanes = cell[cf[i] * G + cg[i]].lanes;
        lanes = lanes + (mask[cr[i]].lanes & weight[i]);
    }
}
FRANKBOOST_VECTORISED void fill(Chunk* cell, std::size_t G, const std::uint8_t* cf, const std::uint8_t* cg,
                                const std::uint8_t* cr, const Chunk* mask, const std::int32_t* weight,
                                std::size_t rows) {
    fill_lanes_of(cell, G, cf, cg, cr, mask, weight, rows);
}
FRANKBOOST_VECTORISED void fill(Chunk* cell, std::size_t G, const std::int32_t* cf, const std::int32_t* cg,
                                const std::int32_t* cr, const Chunk* mask, const std::int32_t* weight,
                                std::size_t rows) {
    fill_lanes_of(cell, G, cf, cg, cr, mask, weight, rows);
}

}  // namespace

bool fits_lanes(const Layout& layout) {
    for (std::size_t f = 0; f < layout.features(); ++f)
        if (layout[f].categorical || layout[f].missing || layout[f].bins > most_bins) return false;
    return true;
}

LaneWeights lane_weights(const Rows& rows) {
    constexpr double most = 1 << 29;
    LaneWeights lanes;
    double mass = 0.0, least = infinity;
    for (double u : rows.weight) {
        mass += std::fabs(u);
        least = std::min(least, std::fabs(u));
    }
    const bool multiples = mass < most * least && std::all_of(
                                                      rows.weight.begin(), rows.weight.end(),
                                                      [&](double u) { return std::round(u / least) * least == u; });
    lanes.unit = multiples ? least : mass / (most - static_cast<double>(rows.size()));
    lanes.weight.reserve(rows.size());
    for (double u : rows.weight) {
        lanes.weight.push_back(static_cast<std::int32_t>(std::lround(u / lanes.unit)));
        if (!multiples) lanes.slack += std::fabs(u - lanes.weight.back() * lanes.unit);
    }
    // The rounding errors of this sum, and of a value in units.
    if (!multiples) lanes.slack = lanes.slack * (1.0 + 0x1p-20) + 0x1p-44 * mass;
    return lanes;
}

LineTables::LineTables(const Rows& rows, const LaneWeights& weights) : rows_(rows), weights_(weights), begin_(1, 0) {
    std::size_t widest = 0;
    for (std::size_t f = 0; f < rows.features(); ++f) {
        widest = std::max(widest, rows.layout[f].bins);
        begin_.push_back(begin_.back() + rows.layout[f].bins);
    }
    left_.assign(widest * widest, Chunk{});
    all_.resize(widest * widest);
    extremes_.resize(5 * widest);
}

void LineTables::search(std::size_t feature, const std::vector<std::size_t>& last_bins,
                        const std::vector<std::uint8_t>& wanted) {
    feature_ = feature;
    mask_.assign(rows_.layout[feature].bins, Chunk{});
    for (std::size_t bin = 0; bin < mask_.size(); ++bin) {
        for (std::size_t lane = 0; lane < last_bins.size(); ++lane)
            mask_[bin].lanes[lane] = bin <= last_bins[lane] ? -1 : 0;
        mask_[bin].lanes[split_lanes] = -1;
    }
    for (auto& side : stumps_)
        for (auto& child : side) child.assign(begin_.back(), Chunk{});
    for (std::size_t f = 0; f < rows_.features(); ++f)
        for (std::size_t g = f; g < rows_.features(); ++g)
            if ((wanted[f] || wanted[g]) && rows_.layout[f].splits() && rows_.layout[g].splits()) search_pair(f, g);
}

void LineTables::search_pair(std::size_t f, std::size_t g) {
    const std::size_t F = rows_.layout[f].bins, G = rows_.layout[g].bins;
    const auto add = [&](const auto* cf, const auto* cg, const auto* cr) {
        fill(left_.data(), G, cf, cg, cr, mask_.data(), weights_.weight.data(), rows_.size());
    };
    rows_.with_codes(add, f, g, feature_);
    accumulate(left_.data(), F, G);
    for (std::size_t k = 0; k < F * G; ++k) all_[k] = left_[k].lanes[split_lanes];
    const auto pays = [&](std::size_t side) {
        auto& [left, right] = stumps_[side];
        return ChildPays{&left[begin_[f]], &right[begin_[f]], &left[begin_[g]], &right[begin_[g]]};
    };
    scan_sides(left_.data(), all_.data(), F, G, extremes_.data(), pays(0), pays(1));
}

double LineTables::pays(std::size_t f, std::size_t side, std::size_t lane) const {
    const auto& [left, right] = stumps_[side];
    std::int32_t best = 0;
    for (std::size_t at = begin_[f]; at < begin_[f + 1]; ++at)
        best = std::max<std::int32_t>(best, left[at].lanes[lane] + right[at].lanes[lane]);
    return weights_.unit * best;
}

}  // namespace frankboost
