// The soft margin, min over d in P of d.margins: the lowest margins, as much of each as its cap allows.
//
// The rows fall into buckets by margin; the bucket in which the weight is spent is cut into buckets again, until all
// its margins are the same.
#include "soft_margin.hpp"

namespace frankboost {

std::size_t SoftMarginSteps::last_bucket(const double* mass, const double* paid) {
    std::size_t last = 0, end = buckets;
    while (end > 1 && mass[end - 1] == 0.0) --end;
    for (; last + 1 < end && mass[last] < left_; ++last) {
        left_ -= mass[last];
        total_ += paid[last];
    }
    mass_ = mass[last];
    return last;
}

std::optional<double> SoftMarginSteps::enter(double lowest, double highest) {
    cut(lowest, highest);
    if (highest - lowest > negligible) return {};
    const double d = std::min(mass_, left_);
    return (total_ + d * lowest) / (whole_ - (left_ - d));  // rounding may leave some of the weight
}

void fill_buckets(const double* margins, const double* weight, std::size_t rows, const SoftMarginSteps& steps,
                  double* mass, double* paid) {
    const SoftMarginSteps local = steps;  // the compiler knows that no sum changes it
    for (std::size_t i = 0; i < rows; ++i) {
        if (!local.has(margins[i])) continue;
        const std::size_t k = local.bucket(margins[i]);
        mass[k] += (weight[i] + local.mass_magic) - local.mass_magic;
        paid[k] += (weight[i] * margins[i] + local.paid_magic) - local.paid_magic;
    }
}

std::pair<double, double> soft_margin(const double* margins, const Weighted& examples, int threads) {
    const double* weight = examples.weight;
    std::size_t rows = examples.rows;
    constexpr std::size_t buckets = SoftMarginSteps::buckets;
    const auto [lowest, highest] = std::minmax_element(margins, margins + rows);
    SoftMarginSteps steps(*lowest, *highest, examples.nu, examples.total);
    std::vector<double> some, their;  // of the rows in the last bucket
    for (;;) {
        const Blocks blocks(rows, threads);
        std::vector<std::vector<double>> part(blocks.count(), std::vector<double>(2 * buckets));
        blocks.each([&](std::size_t b, std::size_t at, std::size_t count) {
            fill_buckets(margins + at, weight + at, count, steps, part[b].data(), part[b].data() + buckets);
        });
        for (std::size_t b = 1; b < part.size(); ++b)
            for (std::size_t k = 0; k < 2 * buckets; ++k) part[0][k] += part[b][k];
        const std::size_t last = steps.last_bucket(part[0].data(), part[0].data() + buckets);
        std::vector<double> kept, weight_kept;
        for (std::size_t i = 0; i < rows; ++i)
            if (steps.has(margins[i]) && steps.bucket(margins[i]) == last) {
                kept.push_back(margins[i]);
                weight_kept.push_back(weight[i]);
            }
        const auto [low, high] = std::minmax_element(kept.begin(), kept.end());
        if (const auto found = steps.enter(*low, *high)) return {*found, steps.least};
        some = std::move(kept);
        their = std::move(weight_kept);
        margins = some.data();
        weight = their.data();
        rows = some.size();
    }
}

}  // namespace frankboost
