// Computes bounds for roots from their searched neighbours: a row that changes sides changes what a tree pays on either
// side by at most its weight. Reference: brute force in tests/learners/test_certified_trees.py.
#include "deep_lines.hpp"

#include "survey.hpp"

namespace frankboost {

std::vector<std::uint8_t> features_above(const std::vector<double>& own, const std::vector<double>& other, double cut) {
    const double rest = largest(other);
    std::vector<std::uint8_t> wanted(own.size());
    for (std::size_t f = 0; f < own.size(); ++f) wanted[f] = own[f] + rest > cut;
    return wanted;
}

void RootLine::add(const Root& which, double weight, double most_of_all) {
    root.push_back(which);
    left_weight.push_back(weight);
    sides.emplace_back();
    pays.push_back(-1.0);
    bound.push_back(most_of_all);
    rough.push_back(0);
}

FeatureBounds RootLine::between(std::size_t at, std::size_t before, std::size_t after, const FeatureBounds& ends,
                                double total) const {
    const FeatureBounds all_right{ends.left, ends.right}, all_left{ends.right, ends.left};
    const FeatureBounds &a = before < size() ? sides[before] : all_right, &b = after < size() ? sides[after] : all_left;
    const double from_a = left_weight[at] - (before < size() ? left_weight[before] : 0.0);
    const double from_b = (after < size() ? left_weight[after] : total) - left_weight[at];
    FeatureBounds here = a;
    for (std::size_t f = 0; f < here.left.size(); ++f) {
        here.left[f] = std::min(a.left[f] + from_a, b.left[f] + from_b);
        here.right[f] = std::min(a.right[f] + from_a, b.right[f] + from_b);
    }
    return here;
}

std::vector<RootLine> all_lines(const Rows& rows, double total) {
    const Layout& layout = rows.layout;
    std::vector<RootLine> lines;
    for (std::size_t f = 0; f < layout.features(); ++f) {
        if (!layout[f].splits()) continue;
        const auto masses = histogram(rows, f, mass);
        const auto put = [&](const Root& root) {
            const auto left = split_of(layout, root).sent_left(layout[f].bins);
            double left_weight = 0.0;
            for (std::size_t c = 0; c < left.size(); ++c) left_weight += left[c] ? masses[c] : 0.0;
            lines.back().add(root, left_weight, total);
        };
        if (layout[f].categorical) {
            layout.for_each_root(f, [&](const Root& root) { lines.emplace_back(f), put(root); });
            continue;
        }
        for (std::size_t variant = 0; variant < layout[f].variants; ++variant) {
            lines.emplace_back(f);
            layout.for_each_root(f, [&](const Root& root) {
                if (root.variant == variant) put(root);
            });
        }
    }
    return lines;
}

}  // namespace frankboost
