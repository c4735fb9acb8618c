// Tables of pairs of features that are nearly constant, such as 0/1 columns with few ones: only rows where neither
// feature has its common code are added up, for all pairs at once; the other sums are differences.
#pragma once

#include <array>

#include "rows.hpp"

namespace frankboost {

class RarePairs {
    struct Entry {
        std::uint32_t row, at;
    };

    const Rows& rows_;
    std::vector<std::size_t> common_;           // code of each feature
    std::vector<std::size_t> first_;            // where the other codes of a feature begin, if it is served
    std::vector<std::vector<double>> by_code_;  // sums of u by the codes of a feature
    std::vector<double> sums_;                  // of u over the rows that have two codes
    std::size_t codes_ = 0;                     // that are rare, of all features

    std::size_t count_codes(std::size_t f) const { return rows_.layout[f].bins + (rows_.layout[f].missing ? 1 : 0); }
    std::size_t place(std::size_t f, std::size_t code) const { return first_[f] + code - (code > common_[f] ? 1 : 0); }
    bool find_common(std::size_t f);
    void add_up(const std::vector<Entry>& entries);

  public:
    // Serves no pair unless the weights are on the grid, where no sum is rounded, nor any difference.
    explicit RarePairs(const Rows& rows);

    bool serves(std::size_t f, std::size_t g) const;

    // What `fill_table` does, on a table of zeros; f < g.
    void fill(std::size_t f, std::size_t g, double* cell) const;
};

}  // namespace frankboost
