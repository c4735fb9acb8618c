// The tables of pairs of nearly constant features, such as 0/1 columns with few ones.
#pragma once

#include <array>

#include "rows.hpp"

namespace frankboost {

class RarePairs {
    struct Entry {
        std::uint32_t row, at;
    };

    const Rows& rows_;
    std::vector<std::size_t> common_;           // the most frequent code of each feature
    std::vector<std::size_t> first_;            // the place of each feature's first rare code, or `unserved`
    std::vector<std::vector<double>> by_code_;  // sums of u by the codes of each feature
    std::vector<double> sums_;                  // by two places of rare codes: the sum of u over the rows with both
    std::size_t codes_ = 0;                     // the number of rare codes of all features

    std::size_t count_codes(std::size_t f) const { return rows_.layout[f].bins + (rows_.layout[f].missing ? 1 : 0); }
    std::size_t place(std::size_t f, std::size_t code) const { return first_[f] + code - (code > common_[f] ? 1 : 0); }
    bool find_common(std::size_t f);
    void add_pair_sums(const std::vector<Entry>& entries);

  public:
    // Serves no pair if the weights are not on the grid, where sums and differences are exact.
    explicit RarePairs(const Rows& rows);

    // Whether `fill` can fill the table of f and g.
    bool serves(std::size_t f, std::size_t g) const;

    // Fills a table of zeros as `fill_table` would; f < g.
    void fill(std::size_t f, std::size_t g, double* cell) const;
};

}  // namespace frankboost
