// Products with the margin matrix, whose columns (hypotheses) are contiguous.
#include <cmath>
#include <vector>

#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

constexpr std::size_t block = 2048;  // rows whose sums stay in the first-level cache
constexpr std::size_t lanes = 16;    // partial sums of a dot product: a fixed order, whatever the vector width

template <class Entry>
FRANKBOOST_INLINE void add_scaled(const Entry* column, std::size_t count, double weight, double* out) {
    for (std::size_t i = 0; i < count; ++i) out[i] += weight * static_cast<double>(column[i]);
}

template <class Entry>
FRANKBOOST_INLINE double dot(const Entry* column, const double* d, std::size_t count) {
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

FRANKBOOST_VECTORISED void add_column(const std::int8_t* column, std::size_t count, double weight, double* out) {
    add_scaled(column, count, weight, out);
}
FRANKBOOST_VECTORISED void add_column(const float* column, std::size_t count, double weight, double* out) {
    add_scaled(column, count, weight, out);
}
FRANKBOOST_VECTORISED double edge(const std::int8_t* column, const double* d, std::size_t count) {
    return dot(column, d, count);
}
FRANKBOOST_VECTORISED double edge(const float* column, const double* d, std::size_t count) {
    return dot(column, d, count);
}

template <class Entry, class Real>
FRANKBOOST_INLINE void centre(const Entry* column, const std::int64_t* picked, const double* mass, const Real* root,
                              double total, std::size_t count, Real* out) {
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = static_cast<Real>(column[picked[i]]);
        sum += mass[i] * static_cast<double>(out[i]);
    }
    const auto mean = static_cast<Real>(sum / total);
    for (std::size_t i = 0; i < count; ++i) out[i] = root[i] * (out[i] - mean);
}

}  // namespace

template <class Entry, class Real>
void centred_columns(const Entry* matrix, std::size_t rows, const std::int64_t* slots, std::size_t columns,
                     const std::int64_t* picked, const double* mass, std::size_t count, Real* out, int threads) {
    std::vector<Real> root(count);
    double total = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        root[i] = static_cast<Real>(std::sqrt(mass[i]));
        total += mass[i];
    }
    const int workers = threads_worth(1.5 * static_cast<double>(count * columns), threads);
    parallel_for(columns, workers, [&](std::size_t k, std::size_t) {
        centre(matrix + static_cast<std::size_t>(slots[k]) * rows, picked, mass, root.data(), total, count,
               out + k * count);
    });
}

template <class Entry>
void margins(const Entry* matrix, std::size_t columns, std::size_t rows, const double* weights, double* out,
             int threads) {
    const int workers = threads_worth(0.3 * static_cast<double>(rows * columns), threads);
    parallel_for((rows + block - 1) / block, workers, [&](std::size_t task, std::size_t) {
        const std::size_t begin = task * block;
        const std::size_t count = std::min(block, rows - begin);
        std::fill(out + begin, out + begin + count, 0.0);
        for (std::size_t j = 0; j < columns; ++j)
            if (weights[j] != 0.0) add_column(matrix + j * rows + begin, count, weights[j], out + begin);
    });
}

template <class Entry>
void edges(const Entry* matrix, std::size_t columns, std::size_t rows, const double* distribution, double* out,
           int threads) {
    const int workers = threads_worth(0.3 * static_cast<double>(rows * columns), threads);
    parallel_for(columns, workers, [&](std::size_t j, std::size_t) {
        out[j] = edge(matrix + j * rows, distribution, rows);
    });
}

template void margins(const std::int8_t*, std::size_t, std::size_t, const double*, double*, int);
template void margins(const float*, std::size_t, std::size_t, const double*, double*, int);
template void edges(const std::int8_t*, std::size_t, std::size_t, const double*, double*, int);
template void centred_columns(const std::int8_t*, std::size_t, const std::int64_t*, std::size_t, const std::int64_t*,
                              const double*, std::size_t, float*, int);
template void centred_columns(const std::int8_t*, std::size_t, const std::int64_t*, std::size_t, const std::int64_t*,
                              const double*, std::size_t, double*, int);
template void centred_columns(const float*, std::size_t, const std::int64_t*, std::size_t, const std::int64_t*,
                              const double*, std::size_t, float*, int);
template void centred_columns(const float*, std::size_t, const std::int64_t*, std::size_t, const std::int64_t*,
                              const double*, std::size_t, double*, int);
template void edges(const float*, std::size_t, std::size_t, const double*, double*, int);

}  // namespace frankboost
