// A row that changes sides changes what a tree pays on either side by at most its weight.
#include "deep_lines.hpp"

#include "survey.hpp"

namespace frankboost {

std::vector<std::uint8_t> above(const std::vector<double>& own, const std::vector<double>& other, double cut) {
    const double rest = most(other);
    std::vector<std::uint8_t> wanted(own.size());
    for (std::size_t f = 0; f < own.size(); ++f) wanted[f] = own[f] + rest > cut;
    return wanted;
}

void Line::add(const Root& which, double weight, double most_of_all) {
    root.push_back(which);
    moved.push_back(weight);
    sides.emplace_back();
    pays.push_back(-1.0);
    bound.push_back(most_of_all);
    rough.push_back(0);
}

Sides Line::between(std::size_t at, std::size_t before, std::size_t after, const Sides& ends, double total) const {
    const Sides all_right{ends.left, ends.right}, all_left{ends.right, ends.left};
    const Sides &a = before < size() ? sides[before] : all_right, &b = after < size() ? sides[after] : all_left;
    const double from_a = moved[at] - (before < size() ? moved[before] : 0.0);
    const double from_b = (after < size() ? moved[after] : total) - moved[at];
    Sides here = a;
    for (std::size_t f = 0; f < here.left.size(); ++f) {
        here.left[f] = std::min(a.left[f] + from_a, b.left[f] + from_b);
        here.right[f] = std::min(a.right[f] + from_a, b.right[f] + from_b);
    }
    return here;
}

std::vector<Line> all_lines(const Rows& rows, double total) {
    const Layout& layout = rows.layout;
    std::vector<Line> lines;
    for (std::size_t f = 0; f < layout.features(); ++f) {
        if (!layout[f].splits()) continue;
        const auto masses = histogram(rows, f, mass);
        const auto put = [&](const Root& root) {
            const auto left = split_of(layout, root).sent_left(layout[f].bins);
            double moved = 0.0;
            for (std::size_t c = 0; c < left.size(); ++c) moved += left[c] ? masses[c] : 0.0;
            lines.back().add(root, moved, total);
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
