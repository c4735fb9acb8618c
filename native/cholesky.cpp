// The kernels of cholesky.hpp: one factorisation by panels of pivots, whose rows stay in registers, and rank-one
// updates. Reference: tests/test_native.py compares quadratic.cpp, which uses them, with tests/reference.py.
#include "cholesky.hpp"

#include <cmath>
#include <numeric>

#include "parallel.hpp"

namespace frankboost {
namespace {

constexpr std::size_t lanes = 8, tall = 4;
constexpr std::size_t panel = 16;  // pivots at a time, so that each row below is read and written once for all of them
typedef double Wide __attribute__((vector_size(lanes * sizeof(double))));
typedef Wide InMemory __attribute__((aligned(sizeof(double)), may_alias));

std::size_t padded(std::size_t count, std::size_t unit) { return (count + unit - 1) / unit * unit; }

// Subtracts the contributions of the panel's pivots, whose rows begin at `begin`, from the four rows that begin at
// `first`. Entries left of the diagonal become garbage, which nothing reads.
FRANKBOOST_INLINE void subtract_panel(double* A, std::size_t stride, std::size_t begin, std::size_t first,
                                      std::size_t end) {
    double factor[panel][tall];
    for (std::size_t p = 0; p < panel; ++p)
        for (std::size_t q = 0; q < tall; ++q) factor[p][q] = A[(begin + p) * stride + first + q];
    double* const top = A + first * stride;
    for (std::size_t j = first / lanes * lanes; j < end; j += lanes) {
        InMemory* const at[tall] = {reinterpret_cast<InMemory*>(top + j), reinterpret_cast<InMemory*>(top + stride + j),
                                    reinterpret_cast<InMemory*>(top + 2 * stride + j),
                                    reinterpret_cast<InMemory*>(top + 3 * stride + j)};
        Wide a = *at[0], b = *at[1], c = *at[2], d = *at[3];
        for (std::size_t p = 0; p < panel; ++p) {
            const Wide pivot = *reinterpret_cast<const InMemory*>(A + (begin + p) * stride + j);
            a -= factor[p][0] * pivot;
            b -= factor[p][1] * pivot;
            c -= factor[p][2] * pivot;
            d -= factor[p][3] * pivot;
        }
        *at[0] = a, *at[1] = b, *at[2] = c, *at[3] = d;
    }
}

// Computes the upper Cholesky factor of the leading k x k block in place. Returns false if rounding makes a pivot too
// small. The memory has rows that are padded to whole vectors, and spare rows after the last one.
FRANKBOOST_VECTORISED bool factorise(double* A, std::size_t k, std::size_t stride) {
    for (std::size_t begin = 0; begin < k; begin += panel) {
        const std::size_t end = std::min(begin + panel, k);
        for (std::size_t i = begin; i < end; ++i) {
            double* const row = A + i * stride;
            const double whole = row[i];
            for (std::size_t p = begin; p < i; ++p) {
                const double *above = A + p * stride, f = above[i];
                for (std::size_t j = i; j < k; ++j) row[j] -= f * above[j];
            }
            if (!(row[i] > 1e-14 * std::max(whole, 1e-300))) return false;
            const double inverse = 1.0 / std::sqrt(row[i]);
            for (std::size_t j = i; j < k; ++j) row[j] *= inverse;
        }
        for (std::size_t r = end; r < k; r += tall) subtract_panel(A, stride, begin, r, k);
    }
    return true;
}

// Applies the rotation (c, s) to a row of the factor and to `carried`, whose first entry it makes 0.
FRANKBOOST_VECTORISED void rotate(double* row, double* carried, double c, double s, std::size_t count) {
    const double inverse = 1.0 / c;
    for (std::size_t i = 0; i < count; ++i) {
        row[i] = (row[i] + s * carried[i]) * inverse;
        carried[i] = c * carried[i] - s * row[i];
    }
}

}  // namespace

FRANKBOOST_VECTORISED double dot(const double* a, const double* b, std::size_t count) {
    Wide partial[tall] = {};  // so that no addition waits for the one before it
    std::size_t i = 0;
    for (; i + tall * lanes <= count; i += tall * lanes)
        for (std::size_t q = 0; q < tall; ++q)
            partial[q] += *reinterpret_cast<const InMemory*>(a + i + q * lanes) *
                          *reinterpret_cast<const InMemory*>(b + i + q * lanes);
    double total = 0.0;
    for (; i < count; ++i) total += a[i] * b[i];
    const Wide sum = (partial[0] + partial[1]) + (partial[2] + partial[3]);
    for (std::size_t lane = 0; lane < lanes; ++lane) total += sum[lane];
    return total;
}

FRANKBOOST_VECTORISED void subtract(double* a, const double* b, double factor, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) a[i] -= factor * b[i];
}

Factor::Factor(const double* H, double pull, const double* c, std::size_t n)
    : H_(H), c_(c), pull_(pull), n_(n), stride_(padded(n, lanes)), entry_((n + tall) * stride_), place_(n) {
    std::iota(place_.begin(), place_.end(), std::size_t{0});
}

void Factor::solve_forward(double* b, std::size_t k) const {
    for (std::size_t i = 0; i < k; ++i) {
        b[i] /= row(i)[i];
        subtract(b + i + 1, row(i) + i + 1, b[i], k - i - 1);
    }
}

void Factor::solve_backward(double* b, std::size_t k) const {
    for (std::size_t i = k; i-- > 0;) b[i] = (b[i] - dot(row(i) + i + 1, b + i + 1, k - i - 1)) / row(i)[i];
}

void Factor::solve(double* b) const {
    solve_forward(b, size());
    solve_backward(b, size());
}

void Factor::solve_known(std::vector<double>& x) const {
    x = known_;
    solve_backward(x.data(), size());
}

bool Factor::start(const std::vector<std::size_t>& columns) {
    const std::size_t k = columns.size();
    for (std::size_t i = 0; i < k; ++i) {
        for (std::size_t j = i; j < k; ++j) row(i)[j] = H_[columns[i] * n_ + columns[j]];
        row(i)[i] += pull_;
    }
    if (!factorise(entry_.data(), k, stride_)) return false;
    support = columns;
    known_.clear();
    for (auto j : columns) known_.push_back(c_[j]);
    solve_forward(known_.data(), k);
    return true;
}

bool Factor::add(std::size_t j) {
    const std::size_t k = size();
    std::vector<double> column(k);
    const double* h = H_ + j * n_;
    for (std::size_t i = 0; i < k; ++i) column[i] = h[support[i]];
    solve_forward(column.data(), k);
    const double whole = h[j] + pull_, square = whole - dot(column.data(), column.data(), k);
    if (!(square > 1e-14 * whole)) return false;
    for (std::size_t i = 0; i < k; ++i) row(i)[k] = column[i];
    row(k)[k] = std::sqrt(square);
    known_.push_back((c_[j] - dot(column.data(), known_.data(), k)) / row(k)[k]);
    support.push_back(j);
    return true;
}

void Factor::remove(std::size_t at) {
    const std::size_t k = size();
    std::vector<double> carried(row(at) + at + 1, row(at) + k);
    double carried_known = known_[at];
    std::rotate(&place_[at], &place_[at] + 1, place_.data() + k);
    support.erase(support.begin() + static_cast<std::ptrdiff_t>(at));
    known_.erase(known_.begin() + static_cast<std::ptrdiff_t>(at));
    for (std::size_t i = 0; i + 1 < k; ++i) {
        double* const here = row(i);
        std::copy(here + std::max(at, i) + 1, here + k, here + std::max(at, i));
        if (i < at) continue;
        double* const x = carried.data() + (i - at);
        const double old = here[i], fresh = std::hypot(old, x[0]), c = fresh / old, s = x[0] / old;
        here[i] = fresh;
        rotate(here + i + 1, x + 1, c, s, k - i - 2);
        rotate(&known_[i], &carried_known, c, s, 1);
    }
}

}  // namespace frankboost
