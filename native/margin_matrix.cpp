// Computes products with a margin matrix of floats, whose columns (hypotheses) are contiguous: A w by blocks of rows
// that stay in the cache, A^T d by partial sums in a fixed order. Reference: NumPy in tests/test_native.py.
#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

constexpr std::size_t block = 2048;  // rows whose sums stay in the first-level cache
constexpr std::size_t lanes = 16;    // partial sums of a dot product, so that its order does not depend on the vectors

FRANKBOOST_VECTORISED void add_column(const float* column, std::size_t count, double weight, double* out) {
    for (std::size_t i = 0; i < count; ++i) out[i] += weight * static_cast<double>(column[i]);
}

FRANKBOOST_VECTORISED double edge(const float* column, const double* d, std::size_t count) {
    double partial[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            partial[lane] += static_cast<double>(column[i + lane]) * d[i + lane];
    double total = 0.0;
    for (; i < count; ++i) total += static_cast<double>(column[i]) * d[i];
    for (std::size_t lane = 0; lane < lanes; ++lane) total += partial[lane];
    return total;
}

}  // namespace

template <class Real>
void scaled_columns(const Numbers& A, const std::int64_t* slots, std::size_t columns, const PickedRows<Real>& picked,
                    Real* out, int threads) {
    const int workers = threads_worth(1.0 * static_cast<double>(picked.count * columns), threads);
    parallel_for(columns, workers, [&](std::size_t k, std::size_t) {
        const float* column = A.entries + static_cast<std::size_t>(slots[k]) * A.rows;
        Real* const scaled = out + k * picked.count;
        for (std::size_t i = 0; i < picked.count; ++i)
            scaled[i] = picked.factor[i] * static_cast<Real>(column[picked.row[i]]);
    });
}

void margins(const Numbers& A, const double* weights, std::size_t columns, double* out, int threads) {
    const int workers = threads_worth(0.3 * static_cast<double>(A.rows * columns), threads);
    Blocks(A.rows, workers, block).for_each([&](std::size_t, std::size_t begin, std::size_t count) {
        std::fill_n(out + begin, count, 0.0);
        for (std::size_t j = 0; j < columns; ++j)
            if (weights[j] != 0.0) add_column(A.entries + j * A.rows + begin, count, weights[j], out + begin);
    });
}

void edges(const Numbers& A, const double* distribution, std::size_t columns, double* out, int threads) {
    const int workers = threads_worth(0.3 * static_cast<double>(A.rows * columns), threads);
    parallel_for(columns, workers,
                 [&](std::size_t j, std::size_t) { out[j] = edge(A.entries + j * A.rows, distribution, A.rows); });
}

template void scaled_columns(const Numbers&, const std::int64_t*, std::size_t, const PickedRows<float>&, float*, int);
template void scaled_columns(const Numbers&, const std::int64_t*, std::size_t, const PickedRows<double>&, double*, int);

}  // namespace frankboost
