// Computes the soft margin, min over d in P of d.margins: the lowest margins, each with as much weight as its cap
// allows. Instead of sorting, it sums the weight in buckets of margins, and cuts the bucket that holds the quantile
// into finer buckets, until all its margins are the same. Reference: soft_margin of tests/reference.py, by linear
// programming.
#include "soft_margin.hpp"

namespace frankboost {

std::size_t SoftMarginSteps::last_bucket(const double* mass) {
    std::size_t last = 0, end = buckets;
    while (end > 1 && mass[end - 1] == 0.0) --end;
    for (; last + 1 < end && mass[last] < left_; ++last) left_ -= mass[last];
    mass_ = mass[last];
    return last;
}

std::optional<double> SoftMarginSteps::enter(const BucketContent& last) {
    total_ += last.paid;
    cut(last.lowest, last.highest);
    if (last.highest - last.lowest > negligible) return {};
    const double d = std::min(mass_, left_);
    return (total_ + d * last.lowest) / (whole_ - (left_ - d));  // rounding may leave some weight unspent
}

void fill_buckets(const double* margins, const double* weight, std::size_t rows, const SoftMarginSteps& steps,
                  double* mass) {
    const SoftMarginSteps local = steps;  // a copy, which the compiler knows not to change in the loop
    for (std::size_t i = 0; i < rows; ++i)
        if (local.has(margins[i]))
            mass[local.bucket(margins[i])] +=
                (std::min(weight[i], local.heaviest) + local.mass_magic) - local.mass_magic;
}

SoftMarginSteps::BucketContent sum_up_to_bucket(const double* margins, const double* weight, std::size_t rows,
                                                const SoftMarginSteps& steps, std::size_t bucket) {
    const SoftMarginSteps local = steps;
    SoftMarginSteps::BucketContent found;
    for (std::size_t i = 0; i < rows; ++i) {
        const double margin = margins[i];
        if (!local.has(margin)) continue;
        const std::size_t k = local.bucket(margin);
        if (k < bucket) {
            found.paid += (weight[i] * margin + local.paid_magic) - local.paid_magic;
        } else if (k == bucket) {
            found.lowest = std::min(found.lowest, margin);
            found.highest = std::max(found.highest, margin);
        }
    }
    return found;
}

namespace {

// The margins and weights of some rows, in their order.
struct SomeRows {
    std::vector<double> margins, weight;

    void add(const SomeRows& other) {
        margins.insert(margins.end(), other.margins.begin(), other.margins.end());
        weight.insert(weight.end(), other.weight.begin(), other.weight.end());
    }
};

// The rows whose margins are in the interval that is cut into buckets.
SomeRows rows_within(const SoftMarginSteps& steps, const double* margins, const double* weight, const Blocks& blocks) {
    std::vector<SomeRows> part(blocks.count());
    blocks.for_each([&](std::size_t b, std::size_t at, std::size_t count) {
        for (std::size_t i = at; i < at + count; ++i)
            if (steps.has(margins[i])) {
                part[b].margins.push_back(margins[i]);
                part[b].weight.push_back(weight[i]);
            }
    });
    for (std::size_t b = 1; b < part.size(); ++b) part[0].add(part[b]);
    return std::move(part[0]);
}

}  // namespace

std::pair<double, double> soft_margin(const double* margins, const Weighted& examples, int threads) {
    constexpr std::size_t buckets = SoftMarginSteps::buckets;
    const double* weight = examples.weight;
    std::size_t rows = examples.rows;
    const auto [lowest, highest] = extremes(margins, rows, threads);
    SoftMarginSteps steps(lowest, highest, rows, examples.nu, examples.total);
    SomeRows last_rows;  // those in the last bucket
    for (;;) {
        const Blocks blocks(rows, threads);
        std::vector<std::vector<double>> part(blocks.count(), std::vector<double>(buckets));
        std::vector<SoftMarginSteps::BucketContent> in(blocks.count());
        blocks.for_each([&](std::size_t b, std::size_t at, std::size_t count) {
            fill_buckets(margins + at, weight + at, count, steps, part[b].data());
        });
        for (std::size_t b = 1; b < part.size(); ++b)
            for (std::size_t k = 0; k < buckets; ++k) part[0][k] += part[b][k];
        const std::size_t last = steps.last_bucket(part[0].data());
        blocks.for_each([&](std::size_t b, std::size_t at, std::size_t count) {
            in[b] = sum_up_to_bucket(margins + at, weight + at, count, steps, last);
        });
        for (std::size_t b = 1; b < in.size(); ++b) in[0].add(in[b]);
        if (const auto found = steps.enter(in[0])) return {*found, steps.least};
        last_rows = rows_within(steps, margins, weight, blocks);
        margins = last_rows.margins.data();
        weight = last_rows.weight.data();
        rows = last_rows.margins.size();
    }
}

}  // namespace frankboost
