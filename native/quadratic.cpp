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

// The lower Cholesky factor of H over an ordered support, row by row.
class Factor {
    const double* H_;
    std::size_t n_;
    std::vector<std::vector<double>> row_;

  public:
    std::vector<std::size_t> support;

    Factor(const double* H, std::size_t n) : H_(H), n_(n) {}

    std::size_t size() const { return support.size(); }

    // False if the block would no longer be positive definite to rounding.
    bool add(std::size_t j) {
        const std::size_t k = size();
        std::vector<double> row(k + 1);
        const double* h = H_ + j * n_;
        for (std::size_t i = 0; i < k; ++i)
            row[i] = (h[support[i]] - dot(row_[i].data(), row.data(), i)) / row_[i][i];
        const double square = h[j] - dot(row.data(), row.data(), k);
        if (!(square > 1e-14 * h[j])) return false;
        row[k] = std::sqrt(square);
        row_.push_back(std::move(row));
        support.push_back(j);
        return true;
    }

    // Drop the coordinate at `place`: the rows below it lose a column and take it in as a rank-one update.
    void remove(std::size_t place) {
        const std::size_t k = size();
        std::vector<double> column(k - place - 1);
        for (std::size_t i = place + 1; i < k; ++i) {
            column[i - place - 1] = row_[i][place];
            row_[i].erase(row_[i].begin() + static_cast<std::ptrdiff_t>(place));
        }
        row_.erase(row_.begin() + static_cast<std::ptrdiff_t>(place));
        support.erase(support.begin() + static_cast<std::ptrdiff_t>(place));
        for (std::size_t i = place; i + 1 < k; ++i) {
            const double x = column[i - place], old = row_[i][i], fresh = std::hypot(old, x);
            const double c = fresh / old, s = x / old;
            row_[i][i] = fresh;
            for (std::size_t r = i + 1; r + 1 < k; ++r) {
                double& entry = row_[r][i];
                double& carried = column[r - place];
                entry = (entry + s * carried) / c;
                carried = c * carried - s * entry;
            }
        }
    }

    // b := (L L^T)^-1 b.
    void solve(double* b) const {
        const std::size_t k = size();
        for (std::size_t i = 0; i < k; ++i) b[i] = (b[i] - dot(row_[i].data(), b, i)) / row_[i][i];
        for (std::size_t i = k; i-- > 0;) {
            b[i] /= row_[i][i];
            subtract(b, row_[i].data(), b[i], i);
        }
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
    for (std::size_t j = 0; j < n; ++j) {
        if (v[j] > 0.0 && factor.add(j)) {
            now.push_back(v[j]);
            inside[j] = 1;
        }
        v[j] = 0.0;
    }
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
