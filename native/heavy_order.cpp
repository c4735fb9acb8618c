// Computes the best children in order below a root with a sign (order.hpp) if all four leaves have to weigh enough: a
// running maximum over the cuts of numbers, a dynamic program over categories. Reference: enumeration in
// tests/learners/test_heavy_leaves.py.
#include "heavy_leaves.hpp"

namespace frankboost {
namespace {

constexpr int votes_in_order[3][2] = {{-1, -1}, {-1, 1}, {1, 1}};  // of one cell: on the side that votes less, and more

// A side below the root, split along the numbers of g.
struct Half {
    const Amounts* sums;
    std::size_t bins;
    Amounts numbers{}, missing = sums[bins];

    Half(const Amounts* sums_, std::size_t bins_) : sums(sums_), bins(bins_) {
        for (std::size_t k = 0; k < bins; ++k) numbers = numbers + sums[k];
    }
    // Where the numbers that add up to `first` vote against `rises`, all others for it.
    double pays(const Amounts& first, int rises, int missing_vote, double least) const {
        const double against = first.weight + (missing_vote == -rises ? missing.weight : 0.0);
        if (against < least || numbers.weight + missing.weight - against < least) return -infinity;
        return rises * (numbers.u - 2.0 * first.u) + missing_vote * missing.u;
    }
    // The first `cut` bins vote against `rises`. Only missing values do if that is none.
    Stump stump(std::size_t g, std::size_t cut, int rises, int missing_vote) const {
        const bool none = cut == 0, missing_left = !none && missing_vote == -rises;
        Stump made{{split_node(g, none ? bins - 2 : cut - 1, missing_left, -1), {}}, 0.0, 0.0, none ? rises : -rises};
        for (std::size_t k = 0; k < (none ? bins - 1 : cut); ++k) made.left += sums[k].u;
        if (missing_left) made.left += missing.u;
        made.right = numbers.u + missing.u - made.left;
        return made;
    }
};

std::optional<OrderedPair> numbers_in_order(const FeatureKind& kind, std::size_t g, const Half& less, const Half& more,
                                            double least) {
    double most = -infinity;
    std::optional<OrderedPair> best;
    for (const int rises : {1, -1}) {
        if (kind.sign == -rises) continue;
        const Half &upper = rises > 0 ? less : more,
                   &lower = rises > 0 ? more : less;  // the upper one has the later cut
        for (const auto& vote : votes_in_order) {
            const int upper_vote = vote[rises > 0 ? 0 : 1], lower_vote = vote[rises > 0 ? 1 : 0];
            Amounts above, below;
            std::size_t at = 0;
            double run = kind.present ? lower.pays(below, rises, lower_vote, least) : -infinity;
            for (std::size_t k = 0; k + 1 < kind.bins; ++k) {
                above = above + upper.sums[k];
                below = below + lower.sums[k];
                if (const double pays = lower.pays(below, rises, lower_vote, least); pays > run) {
                    run = pays;
                    at = k + 1;
                }
                const double both = upper.pays(above, rises, upper_vote, least) + run;
                if (both <= most) continue;
                most = both;
                const Stump one = upper.stump(g, k + 1, rises, upper_vote),
                            other = lower.stump(g, at, rises, lower_vote);
                best = rises > 0 ? OrderedPair{one, other} : OrderedPair{other, one};
            }
        }
    }
    return best;
}

// Cell by cell, by which of the four leaves weigh enough: bits 0 and 1 of the side that votes less, 2 and 3 of the
// other.
class CellsInOrder {
    struct Step {
        double pays = -infinity;
        std::size_t from = 0, votes = 0;
    };
    using States = std::array<Step, 16>;

    std::array<const Amounts*, 2> sums_;
    std::size_t cells_;
    double least_;

    bool light(std::size_t side, std::size_t c) const {
        return sums_[side][c].weight > 0.0 && sums_[side][c].weight < least_;
    }
    static std::size_t bit(std::size_t side, int vote) { return std::size_t{1} << (2 * side + (vote > 0 ? 1 : 0)); }

  public:
    std::vector<States> steps{};

    CellsInOrder(const Amounts* less, const Amounts* more, std::size_t cells, double least)
        : sums_{less, more}, cells_(cells), least_(least) {}

    // What the best votes pay if light cells vote so.
    double most(const std::array<int, 2>& light_votes) {
        steps.assign(cells_ + 1, States{});
        std::size_t start = 0;
        for (const std::size_t side : {0, 1}) {
            double weight = 0.0;
            for (std::size_t c = 0; c < cells_; ++c) weight += light(side, c) ? sums_[side][c].weight : 0.0;
            if (weight >= least_) start |= bit(side, light_votes[side]);
        }
        steps[0][start].pays = 0.0;
        for (std::size_t c = 0; c < cells_; ++c)
            for (std::size_t votes = 0; votes < 3; ++votes) {
                std::size_t heavy = 0;
                double pays = 0.0;
                bool kept = true;
                for (const std::size_t side : {0, 1}) {
                    const int vote = votes_in_order[votes][side];
                    kept = kept && (!light(side, c) || vote == light_votes[side]);
                    if (sums_[side][c].weight >= least_) heavy |= bit(side, vote);
                    pays += vote * sums_[side][c].u;
                }
                for (std::size_t state = 0; kept && state < 16; ++state) {
                    Step& next = steps[c + 1][state | heavy];
                    if (steps[c][state].pays + pays > next.pays) next = {steps[c][state].pays + pays, state, votes};
                }
            }
        return steps.back()[15].pays;
    }
    OrderedPair stumps(std::size_t g) const {
        OrderedPair pair;
        for (Stump& each : pair) each = {{split_node(g, 0, false, 0), {}}, 0.0, 0.0, 1};
        std::size_t state = 15;
        for (std::size_t c = cells_; c-- > 0; state = steps[c + 1][state].from)
            for (const std::size_t side : {0, 1}) {
                const bool left = votes_in_order[steps[c + 1][state].votes][side] > 0;
                (left ? pair[side].left : pair[side].right) += sums_[side][c].u;
                if (c + 1 == cells_)
                    pair[side].split.node.missing_left = left;
                else
                    pair[side].split.set.put(c, left);
            }
        return pair;
    }
};

std::optional<OrderedPair> categories_in_order(std::size_t g, const Amounts* less, const Amounts* more,
                                               std::size_t cells, double least) {
    CellsInOrder order(less, more, cells, least);
    double most = -infinity;
    std::optional<OrderedPair> best;
    for (const int one : {-1, 1})
        for (const int other : {-1, 1})
            if (const double pays = order.most({one, other}); pays > most) {
                most = pays;
                best = order.stumps(g);
            }
    return best;
}

}  // namespace

std::optional<OrderedPair> heavy_in_order(const Layout& layout, std::size_t g, const Amounts* less, const Amounts* more,
                                          double least) {
    const std::size_t bins = layout[g].bins;
    if (layout[g].categorical) return categories_in_order(g, less, more, bins + 1, least);
    return numbers_in_order(layout[g], g, {less, bins}, {more, bins}, least);
}

}  // namespace frankboost
