// A small convex quadratic program over the non-negative orthant or the simplex, by a warm-started active set.
//
// The Cholesky factor of the supported block of H is kept up to date, k^2 steps for each coordinate that comes or goes,
// so that a start near the answer costs little more than one factorisation.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

FRANKBOOST_VECTORISED double dot(const double* a, const double* b, std::size_t count) {
    double partial[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (std::size_t lane = 0; lane < 8; ++lane) partial[lane] += a[i + lane] * b[i + lane];
    double total = 0.0;
    for (; i < count; ++i) total += a[i] * b[i];
    for (double part : partial) total += part;
    return total;
}

FRANKBOOST_VECTORISED void subtract(double* a, const double* b, double factor, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) a[i] -= factor * b[i];
}

// Rotate `carried` into a row of the factor.
FRANKBOOST_VECTORISED void rotate(double* row, double* carried, double c, double s, std::size_t count) {
    const double inverse = 1.0 / c;
    for (std::size_t i = 0; i < count; ++i) {
        row[i] = (row[i] + s * carried[i]) * inverse;
        carried[i] = c * carried[i] - s * row[i];
    }
}

constexpr std::size_t panel = 4;  // pivots at a time: each row below is read and written once for all of them

// a -= f[0] b[0] + f[1] b[1] + ..., where b holds rows `stride` apart.
FRANKBOOST_INLINE void subtract_panel(double* a, const double* b, std::size_t stride, const double* f, std::size_t count) {
    const double *b0 = b, *b1 = b + stride, *b2 = b + 2 * stride, *b3 = b + 3 * stride;
    for (std::size_t i = 0; i < count; ++i) a[i] -= (f[0] * b0[i] + f[1] * b1[i]) + (f[2] * b2[i] + f[3] * b3[i]);
}

// The upper Cholesky factor of the leading k x k block, in place, row by row. False if a pivot is lost to rounding.
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
        if (end - begin < panel) break;
        for (std::size_t r = end; r < k; ++r) {
            const double* const top = A + begin * stride + r;
            const double f[panel] = {top[0], top[stride], top[2 * stride], top[3 * stride]};
            subtract_panel(A + r * stride + r, top, stride, f, k - r);
        }
    }
    return true;
}

// The upper Cholesky factor R of H over an ordered support, H = R^T R, by rows: all that is done to it runs along them.
class Factor {
    const double* H_;
    std::size_t n_;
    std::vector<double> entry_;       // room for n rows of n
    std::vector<std::size_t> place_;  // where row i stands

    double* row(std::size_t i) { return entry_.data() + place_[i] * n_; }
    const double* row(std::size_t i) const { return entry_.data() + place_[i] * n_; }

    // b := R^-T b.
    void solve_forward(double* b, std::size_t k) const {
        for (std::size_t i = 0; i < k; ++i) {
            b[i] /= row(i)[i];
            subtract(b + i + 1, row(i) + i + 1, b[i], k - i - 1);
        }
    }

  public:
    std::vector<std::size_t> support;

    Factor(const double* H, std::size_t n) : H_(H), n_(n), entry_(n * n), place_(n) {
        for (std::size_t i = 0; i < n; ++i) place_[i] = i;
    }

    std::size_t size() const { return support.size(); }

    // All at once, on an empty factor; false, and still empty, if the block is not positive definite to rounding.
    bool start(const std::vector<std::size_t>& columns) {
        const std::size_t k = columns.size();
        for (std::size_t i = 0; i < k; ++i)
            for (std::size_t j = i; j < k; ++j) row(i)[j] = H_[columns[i] * n_ + columns[j]];
        if (!factorise(entry_.data(), k, n_)) return false;
        support = columns;
        return true;
    }

    // False if the block would no longer be positive definite to rounding.
    bool add(std::size_t j) {
        const std::size_t k = size();
        std::vector<double> column(k);
        const double* h = H_ + j * n_;
        for (std::size_t i = 0; i < k; ++i) column[i] = h[support[i]];
        solve_forward(column.data(), k);
        const double square = h[j] - dot(column.data(), column.data(), k);
        if (!(square > 1e-14 * h[j])) return false;
        for (std::size_t i = 0; i < k; ++i) row(i)[k] = column[i];
        row(k)[k] = std::sqrt(square);
        support.push_back(j);
        return true;
    }

    // Drop the coordinate at `at`: its column goes, and its row is taken in by those below it.
    void remove(std::size_t at) {
        const std::size_t k = size();
        std::vector<double> carried(row(at) + at + 1, row(at) + k);
        std::rotate(place_.begin() + static_cast<std::ptrdiff_t>(at), place_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                    place_.begin() + static_cast<std::ptrdiff_t>(k));
        support.erase(support.begin() + static_cast<std::ptrdiff_t>(at));
        for (std::size_t i = 0; i + 1 < k; ++i) {
            double* const here = row(i);
            std::copy(here + std::max(at, i) + 1, here + k, here + std::max(at, i));
            if (i < at) continue;
            double* const x = carried.data() + (i - at);
            const double old = here[i], fresh = std::hypot(old, x[0]), c = fresh / old, s = x[0] / old;
            here[i] = fresh;
            rotate(here + i + 1, x + 1, c, s, k - i - 2);
        }
    }

    // b := (R^T R)^-1 b.
    void solve(double* b) const {
        const std::size_t k = size();
        solve_forward(b, k);
        for (std::size_t i = k; i-- > 0;) b[i] = (b[i] - dot(row(i) + i + 1, b + i + 1, k - i - 1)) / row(i)[i];
    }
};

struct Program {
    const double* H;
    const double* c;
    std::size_t n;
    bool simplex;

    // c - H v, for all coordinates at once: whole rows of H are faster than a few entries of each.
    void slopes(const std::vector<std::size_t>& support, const std::vector<double>& v, std::vector<double>& out) const {
        out.assign(c, c + n);
        for (std::size_t i = 0; i < support.size(); ++i)
            if (v[i] != 0.0) subtract(out.data(), H + support[i] * n, v[i], n);
    }

    // The maximiser over the support alone, and the price of the constraint sum v = 1.
    double on_support(const Factor& factor, std::vector<double>& v) const {
        const std::size_t k = factor.size();
        v.assign(k, 0.0);
        std::vector<double> spread(k, 1.0), pull(k), slope;
        if (simplex) factor.solve(spread.data());
        double total = 0.0, price = 0.0;
        for (double s : spread) total += s;
        // On the simplex the price may cancel most digits where H is nearly singular; a second pass brings them back.
        for (int pass = 0; pass < (simplex ? 2 : 1); ++pass) {
            slopes(factor.support, v, slope);
            for (std::size_t i = 0; i < k; ++i) pull[i] = slope[factor.support[i]] - price;
            factor.solve(pull.data());
            double sum = -1.0;
            for (std::size_t i = 0; i < k; ++i) sum += v[i] += pull[i];
            if (!simplex) continue;
            const double change = sum / total;
            price += change;
            for (std::size_t i = 0; i < k; ++i) v[i] -= change * spread[i];
        }
        return price;
    }
};

}  // namespace

void maximise_quadratic(const double* H, const double* c, std::size_t n, bool simplex, double* v) {
    const Program program{H, c, n, simplex};
    Factor factor(H, n);
    std::vector<double> now, target, slope;
    std::vector<std::uint8_t> inside(n, 0), refused(n, 0);
    std::vector<std::size_t> given;
    for (std::size_t j = 0; j < n; ++j)
        if (v[j] > 0.0) given.push_back(j);
    if (!factor.start(given))
        for (auto j : given) factor.add(j);
    for (auto j : factor.support) {
        now.push_back(v[j]);
        inside[j] = 1;
    }
    std::fill_n(v, n, 0.0);
    double largest = 0.0;
    for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::fabs(c[j]));
    const double enough = 1e-12 * (1.0 + largest);
    for (std::size_t pass = 0; pass < 20 * n + 20; ++pass) {
        const double price = program.on_support(factor, target);
        double step = 1.0;
        for (std::size_t i = 0; i < now.size(); ++i)
            if (target[i] <= 0.0) step = std::min(step, now[i] / std::max(now[i] - target[i], 1e-300));
        bool blocked = false;
        for (std::size_t i = now.size(); i-- > 0;) {
            const bool gone = target[i] <= 0.0 && now[i] / std::max(now[i] - target[i], 1e-300) <= step;
            now[i] = std::max(now[i] + step * (target[i] - now[i]), 0.0);
            if (!gone) continue;
            blocked = true;
            inside[factor.support[i]] = 0;
            factor.remove(i);
            now.erase(now.begin() + static_cast<std::ptrdiff_t>(i));
        }
        if (blocked) continue;
        program.slopes(factor.support, now, slope);
        double best = enough;
        std::size_t newcomer = n;
        for (std::size_t j = 0; j < n; ++j) {
            if (inside[j] || refused[j]) continue;
            const double gain = slope[j] - price;
            if (gain > best) {
                best = gain;
                newcomer = j;
            }
        }
        if (newcomer == n) break;
        if (factor.add(newcomer)) {
            inside[newcomer] = 1;
            now.push_back(0.0);
        } else {
            refused[newcomer] = 1;
        }
    }
    for (std::size_t i = 0; i < now.size(); ++i) v[factor.support[i]] = now[i];
}

}  // namespace frankboost
