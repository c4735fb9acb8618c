// The rows that carry weight, and the order in which root splits are kept.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "category_sets.hpp"
#include "trees.hpp"

namespace frankboost {

constexpr std::size_t most_bins = 256;  // of a feature in a table

// What a search needs to know of a feature.
struct FeatureKind {
    std::size_t bins;
    bool categorical;
    bool missing;

    std::size_t variants;  // of a root split: 1 sends missing values left
    std::size_t numbers;   // of root splits, but for their variants: one for each bin, or for each set of categories

    FeatureKind(std::size_t count, bool sets, bool gaps)
        : bins(count), categorical(sets), missing(gaps), variants(gaps ? 2 : 1),
          numbers(sets ? count_root_sets(count) : count) {}
    bool splits() const { return bins > 1 || (categorical && missing); }
};

// Where each root split is kept: by feature, then by variant, then by number.
class Layout {
    std::vector<FeatureKind> kind_;
    std::vector<std::size_t> begin_;

  public:
    template <class Code>
    explicit Layout(const Features<Code>& data) : begin_(1, 0) {
        for (std::size_t f = 0; f < data.features; ++f) {
            const auto bins = static_cast<std::size_t>(data.bins[f]);
            kind_.emplace_back(bins, data.categorical[f] != 0, data.missing[f] != 0);
            begin_.push_back(begin_.back() + kind_[f].numbers * kind_[f].variants);
        }
    }
    std::size_t features() const { return kind_.size(); }
    std::size_t size() const { return begin_.back(); }
    std::size_t begin(std::size_t f) const { return begin_[f]; }
    const FeatureKind& operator[](std::size_t f) const { return kind_[f]; }
    std::size_t place(std::size_t f, std::size_t number, std::size_t variant) const {
        return begin_[f] + variant * kind_[f].numbers + number;
    }
};

template <class Code>
class Rows {
    std::vector<Code> compact_;

  public:
    Layout layout;
    std::vector<double> weight;
    std::vector<const Code*> codes;  // of each feature

    Rows(const Features<Code>& data, const double* u) : layout(data), codes(data.features) {
        const auto some = static_cast<std::size_t>(std::count_if(u, u + data.rows, [](double x) { return x != 0.0; }));
        if (some < data.rows) {
            drop_weightless(data, u, some);
            return;
        }
        weight.assign(u, u + data.rows);
        for (std::size_t f = 0; f < data.features; ++f) codes[f] = data.codes + f * data.rows;
    }
    Rows(const Rows&) = delete;  // codes may point into the rows themselves

    std::size_t size() const { return weight.size(); }
    std::size_t features() const { return codes.size(); }

  private:
    void drop_weightless(const Features<Code>& data, const double* u, std::size_t some) {
        std::vector<std::size_t> kept;
        kept.reserve(some);
        for (std::size_t i = 0; i < data.rows; ++i)
            if (u[i] != 0.0) kept.push_back(i);
        weight.reserve(some);
        for (auto i : kept) weight.push_back(u[i]);
        compact_.resize(some * data.features);
        for (std::size_t f = 0; f < data.features; ++f) {
            const Code* source = data.codes + f * data.rows;
            Code* target = compact_.data() + f * some;
            for (std::size_t i = 0; i < some; ++i) target[i] = source[kept[i]];
            codes[f] = target;
        }
    }
};

constexpr auto signed_weight = [](double u) { return u; };
constexpr auto mass = [](double u) { return std::fabs(u); };

// Sums of an amount of each row's weight by bin and, last, of missing values.
template <class Code, class Amount>
std::vector<double> histogram(const Rows<Code>& rows, std::size_t f, Amount amount) {
    std::vector<double> sums(rows.layout[f].bins + 1, 0.0);
    const Code* code = rows.codes[f];
    const double* weight = rows.weight.data();
    for (std::size_t i = 0; i < rows.size(); ++i) sums[code[i]] += amount(weight[i]);
    return sums;
}

}  // namespace frankboost
