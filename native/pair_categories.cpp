// Searches the pairs of a root and a child of which at least one is categorical, from tables or sorted rows. The sums
// of every set of root categories follow from those of a smaller set. Reference:
// tests/learners/test_category_splits.py, by brute force.
#include <utility>

#include "pairs.hpp"

namespace frankboost {
namespace {

// What the best stump on a child pays left and right of a root, from the sums of u by the child's bins, missing values
// last: left + added are those of the root's left side, total those of both sides.
std::pair<double, double> child_pays(const FeatureKind& child, const double* left, const double* added,
                                     const double* total) {
    if (child.categorical) {
        double pays_left = 0.0, pays_right = 0.0;
        for (std::size_t k = 0; k <= child.bins; ++k) {
            const double here = left[k] + added[k];
            pays_left += std::fabs(here);
            pays_right += std::fabs(total[k] - here);
        }
        return {pays_left, pays_right};
    }
    Extremes<double> seen(-infinity, infinity);
    double prefix = 0.0, rest = 0.0;
    for (std::size_t k = 0; k + 1 < child.bins; ++k) {
        const double here = left[k] + added[k];
        seen.include(prefix += here, rest += total[k] - here);
    }
    const std::size_t last = child.bins - 1;
    const double end = left[last] + added[last], absent = left[last + 1] + added[last + 1];
    return {child_value(child, seen.high_left, seen.low_left, prefix + end, absent),
            child_value(child, seen.high_right, seen.low_right, rest + total[last] - end, total[last + 1] - absent)};
}

// What the best children in order on a categorical feature pay below an ordered root.
double both_pay(int sign, const FeatureKind& child, const double* left, const double* added, const double* total) {
    double pays = 0.0;
    for (std::size_t k = 0; k <= child.bins; ++k) {
        const double here = left[k] + added[k];
        pays += std::max(std::fabs(total[k]), sign * (total[k] - 2.0 * here));
    }
    return pays;
}

// Calls visit(set, sums) for every set of root categories, of which there are at most `most_free`. The sums of a set
// are those of the set without its lowest category, which was visited before, plus those of that category.
template <class Gather, class Visit>
void for_each_set(const FeatureKind& root, std::size_t width, Gather&& gather, Visit&& visit) {
    std::vector<std::vector<double>> sums(root.bins);  // [c]: of the last visited set whose lowest category is c
    auto lowest = [](std::size_t set) { return static_cast<std::size_t>(__builtin_ctzll(set)); };
    for (std::size_t set = 1; set < root.numbers; ++set) {
        const std::size_t rest = set & (set - 1), c = lowest(set);
        sums[c] = rest == 0 ? std::vector<double>(width, 0.0) : sums[lowest(rest)];
        gather(c, sums[c].data());
        visit(set, sums[c]);
    }
}

// Offers child g to every root split on f; f and g may be the same. gather(bin, out) adds to `out` the sums of u by the
// child's bins over the rows in a bin of the root.
template <class Gather>
void offer_child(const Layout& layout, std::size_t f, std::size_t g, Gather&& gather, Children& children) {
    const FeatureKind &root = layout[f], &child = layout[g];
    const std::size_t width = child.bins + 1;
    const std::vector<double> nothing(width, 0.0);
    std::vector<double> total(width, 0.0), absent(width, 0.0), left(width, 0.0);
    for (std::size_t bin = 0; bin <= root.bins; ++bin) gather(bin, total.data());
    if (root.missing) gather(root.bins, absent.data());
    auto visit = [&](std::size_t number, const std::vector<double>& sums) {
        for (std::size_t variant = 0; variant < root.variants; ++variant) {
            const double* added = variant ? absent.data() : nothing.data();
            const auto [pays_left, pays_right] = child_pays(child, sums.data(), added, total.data());
            const std::size_t at = layout.place({f, number, variant});
            children.offer(at, g, pays_left, pays_right);
            if (root.sign != 0)
                children.offer_both(
                    at, {both_pay(root.sign, child, sums.data(), added, total.data()), static_cast<std::int32_t>(g)});
        }
    };
    if (root.categorical) visit(0, nothing);
    if (root.categorical && root.bins <= most_free) return for_each_set(root, width, gather, visit);
    for (std::size_t bin = 0; bin + (root.categorical ? 0 : 1) < root.bins; ++bin) {
        if (root.categorical) std::fill(left.begin(), left.end(), 0.0);
        gather(bin, left.data());
        visit(root.categorical ? bin + 1 : bin, left);
    }
}

}  // namespace

void scan_categories(const Layout& layout, std::size_t f, std::size_t g, const Table& table, Children& children) {
    const std::size_t height = layout[f].bins + 1, width = layout[g].bins + 1;
    auto along = [&](std::size_t bin, double* out) {
        const double* row = table.data() + bin * width;
        for (std::size_t k = 0; k < width; ++k) out[k] += row[k];
    };
    auto down = [&](std::size_t bin, double* out) {
        const double* cell = table.data() + bin;
        for (std::size_t t = 0; t < height; ++t) out[t] += cell[t * width];
    };
    offer_child(layout, f, g, along, children);
    offer_child(layout, g, f, down, children);
}

void scan_same_category(const Layout& layout, std::size_t f, const std::vector<double>& sums, Children& children) {
    auto alone = [&](std::size_t bin, double* out) { out[bin] += sums[bin]; };
    offer_child(layout, f, f, alone, children);
}

void sweep_categories(const Rows& rows, std::size_t f, std::size_t g, const Order& by_f, const Order& by_g,
                      Children& children) {
    auto one_way = [&](std::size_t root, std::size_t child, const Order& order, const auto* code) {
        auto gather = [&](std::size_t bin, double* out) {
            for (std::size_t at = order.start[bin]; at < order.start[bin + 1]; ++at)
                out[code[order.row[at]]] += rows.weight[order.row[at]];
        };
        offer_child(rows.layout, root, child, gather, children);
    };
    const auto both = [&](const auto* cf, const auto* cg) {
        one_way(f, g, by_f, cg);
        one_way(g, f, by_g, cf);
    };
    rows.with_codes(both, f, g);
}

}  // namespace frankboost
