// A small convex quadratic program over the non-negative orthant or the simplex, by a warm-started active set.
//
// The Cholesky factor of the supported block of H is kept up to date, k^2 steps for each coordinate that comes or goes,
// so that a start near the answer costs little more than one factorisation.
#include <numeric>

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
            const double *b0 = A + begin * stride + r, *b1 = b0 + stride, *b2 = b1 + stride, *b3 = b2 + stride;
            const double f0 = b0[0], f1 = b1[0], f2 = b2[0], f3 = b3[0];
            double* const row = A + r * stride + r;
            for (std::size_t i = 0; i < k - r; ++i) row[i] -= (f0 * b0[i] + f1 * b1[i]) + (f2 * b2[i] + f3 * b3[i]);
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
        std::iota(place_.begin(), place_.end(), std::size_t{0});
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
        std::rotate(&place_[at], &place_[at] + 1, place_.data() + k);
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

// The active set at work: a point `now` on the support of a factor, and what its support would like best.
class Search {
    const double *H_, *c_;
    std::size_t n_;
    bool simplex_;
    Factor factor_;
    std::vector<double> now_, target_, slope_;
    std::vector<std::uint8_t> inside_, refused_;
    double price_ = 0.0;  // of the constraint sum v = 1

    void drop(std::size_t i) {
        inside_[factor_.support[i]] = 0;
        factor_.remove(i);
        now_.erase(now_.begin() + static_cast<std::ptrdiff_t>(i));
    }

    // slope = c - H v, for all coordinates at once: whole rows of H are faster than a few entries of each.
    void find_slopes(const std::vector<double>& v) {
        slope_.assign(c_, c_ + n_);
        for (std::size_t i = 0; i < v.size(); ++i)
            if (v[i] != 0.0) subtract(slope_.data(), H_ + factor_.support[i] * n_, v[i], n_);
    }

    // The maximiser over the support alone.
    void find_target() {
        const std::size_t k = factor_.size();
        target_.assign(k, 0.0);
        price_ = 0.0;
        std::vector<double> spread(k, 1.0), pull(k);
        if (simplex_) factor_.solve(spread.data());
        const double total = std::accumulate(spread.begin(), spread.end(), 0.0);
        // On the simplex the price may cancel most digits where H is nearly singular; a second pass brings them back.
        for (int pass = 0; pass < (simplex_ ? 2 : 1); ++pass) {
            find_slopes(target_);
            for (std::size_t i = 0; i < k; ++i) pull[i] = slope_[factor_.support[i]] - price_;
            factor_.solve(pull.data());
            double sum = -1.0;
            for (std::size_t i = 0; i < k; ++i) sum += target_[i] += pull[i];
            if (!simplex_) continue;
            const double change = sum / total;
            price_ += change;
            subtract(target_.data(), spread.data(), change, k);
        }
    }

  public:
    Search(const double* H, const double* c, std::size_t n, bool simplex, const double* v)
        : H_(H), c_(c), n_(n), simplex_(simplex), factor_(H, n), inside_(n, 0), refused_(n, 0) {
        std::vector<std::size_t> given;
        for (std::size_t j = 0; j < n; ++j)
            if (v[j] > 0.0) given.push_back(j);
        if (!factor_.start(given))
            for (auto j : given) factor_.add(j);
        for (auto j : factor_.support) {
            now_.push_back(v[j]);
            inside_[j] = 1;
        }
    }

    // The best point of the support; coordinates that came in with the last batch and would be negative go again.
    void aim(std::size_t newcomers) {
        find_target();
        while (newcomers > 1) {
            const std::size_t before = now_.size();
            for (std::size_t i = before; i-- > before - newcomers;)
                if (target_[i] <= 0.0) drop(i);
            const std::size_t gone = before - now_.size();
            if (gone == 0) return;
            newcomers -= gone;
            find_target();
        }
    }

    // Towards it, up to the first coordinate that would turn negative, which goes; whether one did.
    bool move() {
        const auto reach = [&](std::size_t i) {  // the step at which a coordinate is 0
            return target_[i] <= 0.0 ? now_[i] / std::max(now_[i] - target_[i], 1e-300) : infinity;
        };
        double step = 1.0;
        for (std::size_t i = 0; i < now_.size(); ++i) step = std::min(step, reach(i));
        const std::size_t before = now_.size();
        for (std::size_t i = before; i-- > 0;) {
            const bool gone = reach(i) <= step;
            now_[i] = std::max(now_[i] + step * (target_[i] - now_[i]), 0.0);
            if (gone) drop(i);
        }
        return now_.size() < before;
    }

    // Bring in the coordinates with the largest gains, at most so many: how many came, or none if none gains enough.
    std::size_t widen(std::size_t most, double enough) {
        find_slopes(now_);
        const std::size_t before = now_.size();
        while (now_.size() == before) {
            std::vector<std::size_t> better;
            for (std::size_t j = 0; j < n_; ++j)
                if (!inside_[j] && !refused_[j] && slope_[j] - price_ > enough) better.push_back(j);
            if (better.empty()) return 0;
            most = std::min(most, better.size());
            std::partial_sort(better.begin(), better.begin() + static_cast<std::ptrdiff_t>(most), better.end(),
                              [&](auto i, auto j) { return slope_[i] != slope_[j] ? slope_[i] > slope_[j] : i < j; });
            better.resize(most);
            for (auto j : better) {
                const bool came = factor_.add(j);
                (came ? inside_ : refused_)[j] = 1;
                if (came) now_.push_back(0.0);
            }
        }
        return now_.size() - before;
    }

    void write(double* v) const {
        std::fill_n(v, n_, 0.0);
        for (std::size_t i = 0; i < now_.size(); ++i) v[factor_.support[i]] = now_[i];
    }
};

}  // namespace

void maximise_quadratic(const double* H, const double* c, std::size_t n, bool simplex, std::size_t batch, double* v) {
    Search search(H, c, n, simplex, v);
    double largest = 0.0;
    for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::fabs(c[j]));
    const double enough = 1e-12 * (1.0 + largest);
    std::size_t came = 0;
    for (std::size_t pass = 0; pass < 20 * n + 20; ++pass) {
        search.aim(came);
        came = 0;
        if (search.move()) continue;
        // One at a time in the end, in case that batches come and go for ever.
        came = search.widen(pass < 2 * n ? batch : 1, enough);
        if (came == 0) break;
    }
    search.write(v);
}

}  // namespace frankboost
