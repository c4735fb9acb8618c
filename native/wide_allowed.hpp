// What the children left and right of each root are allowed to pay, so that a tree pays no more than so much.
#pragma once

#include "wide_rows.hpp"

namespace frankboost {

// Roots on features without tables in fixed point may pay anything: their pairs are all looked at closely.
class Allowed {
    std::vector<double> left_, right_;

    explicit Allowed(std::size_t roots) : left_(roots, infinity), right_(roots, infinity) {}

  public:
    // In equal parts above what is found on both sides.
    Allowed(const HeavyRows& heavy, const Children& found, double most);

    bool keeps(std::size_t at, double pays_left, double pays_right) const {
        return pays_left < left_[at] && pays_right < right_[at];
    }

    // Where a child is known to pay more than was allowed on its side, less is allowed on the other: the features where
    // that is so.
    std::vector<std::size_t> share_again(const HeavyRows& heavy, const Children& known, double most);

    // The same for the roots on some features; the others may pay anything.
    Allowed only(const Layout& layout, const std::vector<std::size_t>& features) const;
};

}  // namespace frankboost
