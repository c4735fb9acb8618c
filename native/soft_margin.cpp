// The soft margin, min over d in P of d.margins: the lowest margins, as much of each as its cap allows.
//
// The rows fall into buckets by margin, and only the bucket in which the mass reaches 1 has to be sorted.
#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {

double soft_margin(const double* margins, const double* caps, std::size_t rows, int threads) {
    constexpr std::size_t buckets = 1024;
    struct Bucket {
        double mass = 0.0, paid = 0.0;
    };
    const auto [lowest, highest] = std::minmax_element(margins, margins + rows);
    const double least = *lowest, width = *highest - least;
    const double factor = width > 0.0 && std::isfinite(width) ? (buckets - 1) / width : 0.0;
    auto bucket = [&](std::size_t i) { return static_cast<std::size_t>((margins[i] - least) * factor); };
    const Blocks blocks(rows, threads);
    std::vector<std::vector<Bucket>> part(blocks.count(), std::vector<Bucket>(buckets));
    blocks.each([&](std::size_t b, std::size_t at, std::size_t count) {
        for (std::size_t i = at; i < at + count; ++i) {
            Bucket& mine = part[b][bucket(i)];
            mine.mass += caps[i];
            mine.paid += caps[i] * margins[i];
        }
    });
    for (std::size_t b = 1; b < blocks.count(); ++b)
        for (std::size_t k = 0; k < buckets; ++k) {
            part[0][k].mass += part[b][k].mass;
            part[0][k].paid += part[b][k].paid;
        }
    double left = 1.0, total = 0.0;
    std::size_t last = 0;
    for (; last + 1 < buckets && part[0][last].mass < left; ++last) {
        left -= part[0][last].mass;
        total += part[0][last].paid;
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rows; ++i)
        if (bucket(i) == last) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return margins[i] < margins[j]; });
    for (auto i : order) {
        const double d = std::min(caps[i], left);
        total += d * margins[i];
        left -= d;
    }
    return total / (1.0 - left);  // rounding in the sums may leave the mass a hair off 1
}

}  // namespace frankboost
