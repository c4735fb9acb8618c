// What the children left and right of each root may pay, so that no tree pays more than a given amount.
#pragma once

#include "wide_rows.hpp"

namespace frankboost {

// The allowances of all roots. Roots on features without tables in fixed point have infinite ones, as all their pairs
// are searched exactly.
class Allowances {
    std::vector<double> left_, right_;

    explicit Allowances(std::size_t roots) : left_(roots, infinity), right_(roots, infinity) {}

  public:
    // Divides what is left of `most` above the children found so far equally among the two sides of each root.
    Allowances(const HeavyRows& heavy, const Children& found, double most);

    // Whether children that pay these amounts keep to the allowances of a root.
    bool keeps(std::size_t at, double pays_left, double pays_right) const {
        return pays_left < left_[at] && pays_right < right_[at];
    }

    // Lowers the allowance of a side whose other side has a known child that exceeds its own allowance. Returns the
    // features whose roots have changed.
    std::vector<std::size_t> lower_where_exceeded(const HeavyRows& heavy, const Children& known, double most);

    // The allowances of the roots on some features; those of all others are infinite.
    Allowances restricted_to(const Layout& layout, const std::vector<std::size_t>& features) const;
};

}  // namespace frankboost
