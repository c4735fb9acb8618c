// Computes and lowers the allowances of wide_allowances.hpp. Reference: tests/learners/test_wide_trees.py, which
// compares the whole search with one over all pairs.
#include "wide_allowances.hpp"

namespace frankboost {

Allowances::Allowances(const HeavyRows& heavy, const Children& found, double most)
    : Allowances(heavy.rows.layout.size()) {
    const Layout& layout = heavy.rows.layout;
    for (std::size_t f = 0; f < layout.features(); ++f) {
        if (!heavy.plain(f)) continue;
        layout.for_each_root(f, [&](const Root& root) {
            const std::size_t at = layout.place(root);
            const double share = 0.5 * (most - 2.0 * heavy.slack() - found.value(at));
            left_[at] = found.left[at].value + share;
            right_[at] = found.right[at].value + share;
        });
    }
}

std::vector<std::size_t> Allowances::lower_where_exceeded(const HeavyRows& heavy, const Children& known, double most) {
    const Layout& layout = heavy.rows.layout;
    const double slack = heavy.slack();
    const auto lower = [](double& allowed, double value) {
        if (value >= allowed) return false;
        allowed = value;
        return true;
    };
    std::vector<std::size_t> changed;
    for (std::size_t f = 0; f < layout.features(); ++f) {
        if (!heavy.plain(f)) continue;
        bool less = false;
        layout.for_each_root(f, [&](const Root& root) {
            const std::size_t at = layout.place(root);
            const double pays_left = known.left[at].value, pays_right = known.right[at].value;
            const bool more_left = pays_left > left_[at] + slack, more_right = pays_right > right_[at] + slack;
            if (more_left) less |= lower(right_[at], most - pays_left - slack);
            if (more_right) less |= lower(left_[at], most - pays_right - slack);
        });
        if (less) changed.push_back(f);
    }
    return changed;
}

Allowances Allowances::restricted_to(const Layout& layout, const std::vector<std::size_t>& features) const {
    Allowances some(layout.size());
    for (std::size_t f : features)
        for (std::size_t at = layout.begin(f); at < layout.begin(f + 1); ++at) {
            some.left_[at] = left_[at];
            some.right_[at] = right_[at];
        }
    return some;
}

}  // namespace frankboost
