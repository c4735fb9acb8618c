// The rows with weight, and the numbering of all root splits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "trees.hpp"

namespace frankboost {

constexpr std::size_t most_bins = 256;  // of a feature in a table

// The number of root splits of a categorical feature, without variants. With up to `most_free` categories these are all
// sets; with more, each category against the rest. Number 0 is the empty set, which only splits off missing values. The
// last of few categories is never in a set, as a set and its complement are the same split.
inline std::size_t count_root_sets(std::size_t categories) {
    return categories <= most_free ? std::size_t{1} << (categories - 1) : categories + 1;
}

// The properties of a feature that a search uses.
struct FeatureKind {
    std::size_t bins;
    bool categorical, missing;
    std::size_t variants = missing ? 2 : 1;  // root splits: variant 1 sends missing values left
    std::size_t numbers = categorical ? count_root_sets(bins) : bins;  // root splits without their variants
    std::int8_t sign = 0;  // 1: no tree may fall along the feature; -1: no tree may rise; 0: no constraint
    bool present = false;  // whether the last threshold splits missing values from all numbers

    // Whether one side of a split by a threshold must not vote more than the other (order.hpp).
    bool ordered(std::size_t last_bin) const { return sign != 0 && !(present && last_bin + 2 == bins); }
    bool splits() const { return bins > 1 || (categorical && missing); }
    bool is_two() const { return bins == 2 && !categorical && !missing; }
};

// A root split: its feature, the last bin that goes left or the number of its set of categories, and its variant.
struct Root {
    std::size_t feature, number, variant;
};

// The features, and the place of each root split among all: by feature, then by variant, then by number.
class Layout {
    std::vector<FeatureKind> kind_;
    std::vector<std::size_t> begin_;
    std::shared_ptr<const PairMask> mask_{};
    bool signs_ = false;

  public:
    Layout() : begin_(1, 0) {}
    explicit Layout(const Features& data) : Layout() {
        for (std::size_t f = 0; f < data.features; ++f) {
            const auto bins = static_cast<std::size_t>(data.bins[f]);
            FeatureKind kind{bins, data.categorical[f] != 0, data.missing[f] != 0};
            if (data.sign != nullptr) {
                kind.sign = data.sign[f];
                kind.present = data.present[f] != 0;
            }
            add(kind);
        }
        restrict(data.mask);
    }
    // Sets the pairs of features that a tree may split on one path.
    void restrict(std::shared_ptr<const PairMask> mask) { mask_ = std::move(mask); }
    bool restricted() const { return mask_ != nullptr; }
    // A layout without features yet, of which a tree may split the same pairs on one path.
    Layout same_mask() const {
        Layout layout;
        layout.restrict(mask_);
        return layout;
    }
    bool together(std::size_t f, std::size_t g) const { return mask_ == nullptr || (*mask_)(f, g); }
    bool signs() const { return signs_; }  // whether any feature has a sign
    bool signs(std::size_t f, std::size_t g) const { return kind_[f].sign != 0 || kind_[g].sign != 0; }
    bool ordered(const Root& root) const { return kind_[root.feature].ordered(root.number); }
    bool ordered(const Node& split) const {
        return kind_[static_cast<std::size_t>(split.feature)].ordered(static_cast<std::size_t>(split.last_bin));
    }
    void add(const FeatureKind& kind) {
        kind_.push_back(kind);
        signs_ = signs_ || kind.sign != 0;
        begin_.push_back(begin_.back() + kind.numbers * kind.variants);
    }
    std::size_t features() const { return kind_.size(); }
    std::size_t size() const { return begin_.back(); }
    std::size_t begin(std::size_t f) const { return begin_[f]; }
    const FeatureKind& operator[](std::size_t f) const { return kind_[f]; }
    bool categorical(std::size_t f, std::size_t g) const { return kind_[f].categorical || kind_[g].categorical; }
    std::size_t place(const Root& root) const {
        return begin_[root.feature] + root.variant * kind_[root.feature].numbers + root.number;
    }

    template <class Visit>
    void for_each_root(std::size_t f, Visit&& visit) const {
        // The empty set only splits off missing values; a split after the last bin splits nothing.
        const bool sets = kind_[f].categorical;
        for (std::size_t number = 0; number < kind_[f].numbers - (sets ? 0 : 1); ++number)
            for (std::size_t variant = sets && number == 0 ? 1 : 0; variant < kind_[f].variants; ++variant)
                visit(Root{f, number, variant});
    }
};

// The rows with weight: their codes, feature by feature, and their signed weights u.
class Rows {
    std::variant<std::vector<std::uint8_t>, std::vector<std::int32_t>> compact_;
    Codes codes_;

    template <class Code>
    void drop_weightless(const Code* codes, std::size_t rows, const double* u, std::size_t some) {
        std::vector<std::size_t> kept;
        kept.reserve(some);
        for (std::size_t i = 0; i < rows; ++i)
            if (u[i] != 0.0) kept.push_back(i);
        weight.reserve(some);
        for (auto i : kept) weight.push_back(u[i]);
        auto& compact = compact_.emplace<std::vector<Code>>(some * layout.features());
        for (std::size_t f = 0; f < layout.features(); ++f)
            for (std::size_t i = 0; i < some; ++i) compact[f * some + i] = codes[f * rows + kept[i]];
        codes_ = compact.data();
    }

  public:
    Layout layout;
    std::vector<double> weight;

    Rows(const Features& data, const double* u) : codes_(data.codes), layout(data) {
        const auto some = static_cast<std::size_t>(std::count_if(u, u + data.rows, [](double x) { return x != 0.0; }));
        if (some < data.rows)
            std::visit([&](const auto* codes) { drop_weightless(codes, data.rows, u, some); }, data.codes);
        else
            weight.assign(u, u + data.rows);
    }
    // Rows with these weights and codes, feature by feature.
    template <class Code>
    Rows(Layout layout_, std::vector<double> weight_, std::vector<Code> codes)
        : compact_(std::move(codes)), layout(std::move(layout_)), weight(std::move(weight_)) {
        codes_ = std::get<std::vector<Code>>(compact_).data();
    }
    Rows(const Rows&) = delete;  // codes may point into the rows themselves

    std::size_t size() const { return weight.size(); }
    std::size_t features() const { return layout.features(); }

    // Calls work(codes of the first feature, codes of the second, ...).
    template <class Work, class... Feature>
    auto with_codes(Work&& work, Feature... f) const {
        return std::visit([&](const auto* codes) { return work(codes + f * size()...); }, codes_);
    }
};

constexpr auto signed_weight = [](double u) { return u; };
constexpr auto mass = [](double u) { return std::fabs(u); };

// The sums of amount(u) by the bins of a feature and, last, of missing values.
template <class Amount>
std::vector<double> histogram(const Rows& rows, std::size_t f, Amount amount) {
    std::vector<double> sums(rows.layout[f].bins + 1, 0.0);
    const auto add = [&, rows_ = rows.size(), weight = rows.weight.data(), sum = sums.data()](const auto* code) {
        for (std::size_t i = 0; i < rows_; ++i) sum[code[i]] += amount(weight[i]);
    };
    rows.with_codes(add, f);
    return sums;
}

}  // namespace frankboost
