// Selects the heavy rows: all but the lightest, whose total weight bounds the error. Reference:
// tests/learners/test_wide_trees.py, which compares the whole search with one over all pairs.
#include "wide_rows.hpp"

#include <numeric>

namespace frankboost {
namespace {

// The numbers of all rows but the lightest, which together weigh at most `most`.
std::vector<std::size_t> heavy_rows(const Rows& all, double most, double& left_out) {
    std::vector<std::size_t> kept(all.size());
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    std::stable_sort(kept.begin(), kept.end(),
                     [&](auto i, auto j) { return std::fabs(all.weight[i]) < std::fabs(all.weight[j]); });
    std::size_t light = 0;
    for (left_out = 0.0; light + 1 < kept.size(); ++light) {
        const double more = left_out + std::fabs(all.weight[kept[light]]);
        if (more > most) break;
        left_out = more;
    }
    kept.erase(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(light));
    std::sort(kept.begin(), kept.end());
    return kept;
}

Rows keep_heavy(const Rows& all, double most, int threads, double& left_out) {
    const std::vector<std::size_t> kept = heavy_rows(all, most, left_out);
    std::vector<double> weight;
    for (std::size_t i : kept) weight.push_back(all.weight[i]);
    const std::size_t n = all.features();
    const auto copy = [&](const auto* code) {
        std::vector<std::decay_t<decltype(*code)>> codes(n * kept.size());
        const int workers = threads_worth(static_cast<double>(codes.size()), threads);
        parallel_for(n, workers, [&](std::size_t f, std::size_t) {
            auto* out = codes.data() + f * kept.size();
            for (std::size_t i : kept) *out++ = code[f * all.size() + i];
        });
        return Rows(all.layout, std::move(weight), std::move(codes));
    };
    return all.with_codes(copy, std::size_t{0});
}

}  // namespace

HeavyRows::HeavyRows(const Rows& all, double most_left_out, int threads)
    : left_out(0.0), rows(keep_heavy(all, most_left_out, threads, left_out)), fixed(fixed_point(rows, threads)) {}

}  // namespace frankboost
