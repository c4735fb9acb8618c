// Solves a small convex quadratic program over the non-negative orthant or the simplex by an active set with a warm
// start. The Cholesky factor of the block of H on the support is updated with the support, so that a start near the
// solution costs little more than one factorisation. Reference: maximise_quadratic of tests/reference.py, by least
// squares.
#include <numeric>

#include "cholesky.hpp"
#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

// An entry of (H + pull I) v.
double product(const double* H, double pull, const double* v, std::size_t n, std::size_t j) {
    return dot(H + j * n, v, n) + pull * v[j];
}

// The current point `now`, its support, and the maximiser over that support, `target`.
class ActiveSet {
    const double *H_, *c_;
    double pull_;
    std::size_t n_;
    bool simplex_;
    Factor factor_;
    std::vector<double> now_, target_, slope_;
    std::vector<std::uint8_t> inside_, refused_;
    double price_ = 0.0;  // the multiplier of the constraint sum v = 1

    void drop(std::size_t i) {
        inside_[factor_.support[i]] = 0;
        factor_.remove(i);
        now_.erase(now_.begin() + static_cast<std::ptrdiff_t>(i));
    }

    // slope = c - (H + pull I) v, for the coordinates inside the support or for those outside; v is on the support.
    void find_slopes(const std::vector<double>& v, bool inside) {
        std::vector<double> spread(n_, 0.0);
        for (std::size_t i = 0; i < v.size(); ++i) spread[factor_.support[i]] = v[i];
        for (std::size_t j = 0; j < n_; ++j)
            if (static_cast<bool>(inside_[j]) == inside) slope_[j] = c_[j] - product(H_, pull_, spread.data(), n_, j);
    }

    // The maximiser over the support alone.
    void find_target() {
        factor_.solve_known(target_);
        if (simplex_) find_price();
    }

    // Finds the multiplier of sum v = 1, and moves the target accordingly. If H is nearly singular, most digits of the
    // target may cancel; a second pass restores them.
    void find_price() {
        const std::size_t k = factor_.size();
        std::vector<double> spread(k, 1.0), pull(k);
        factor_.solve(spread.data());
        const double total = std::accumulate(spread.begin(), spread.end(), 0.0);
        price_ = 0.0;
        for (int pass = 0; pass < 2; ++pass) {
            if (pass > 0) {
                find_slopes(target_, true);
                for (std::size_t i = 0; i < k; ++i) pull[i] = slope_[factor_.support[i]] - price_;
                factor_.solve(pull.data());
                for (std::size_t i = 0; i < k; ++i) target_[i] += pull[i];
            }
            const double change = (std::accumulate(target_.begin(), target_.end(), 0.0) - 1.0) / total;
            price_ += change;
            subtract(target_.data(), spread.data(), change, k);
        }
    }

  public:
    ActiveSet(const double* H, const double* c, double pull, std::size_t n, bool simplex, const double* v)
        : H_(H), c_(c), pull_(pull), n_(n), simplex_(simplex), factor_(H, pull, c, n), slope_(n), inside_(n, 0),
          refused_(n, 0) {
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

    // Finds the target. Coordinates of the last batch that would be negative there leave the support again.
    void find_support_target(std::size_t newcomers) {
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

    // Moves towards the target until a coordinate becomes 0, which leaves the support; returns whether one did.
    bool move_to_target() {
        const auto step_to_zero = [&](std::size_t i) {
            return target_[i] <= 0.0 ? now_[i] / std::max(now_[i] - target_[i], 1e-300) : infinity;
        };
        double step = 1.0;
        for (std::size_t i = 0; i < now_.size(); ++i) step = std::min(step, step_to_zero(i));
        const std::size_t before = now_.size();
        for (std::size_t i = before; i-- > 0;) {
            const bool gone = step_to_zero(i) <= step;
            now_[i] = std::max(now_[i] + step * (target_[i] - now_[i]), 0.0);
            if (gone) drop(i);
        }
        return now_.size() < before;
    }

    // Adds up to `most` coordinates of the largest slopes to the support; returns how many, 0 if no slope is large
    // enough.
    std::size_t add_coordinates(std::size_t most, double enough) {
        find_slopes(now_, false);
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

void maximise_quadratic(const double* H, const double* slope, double pull, std::size_t n, bool simplex,
                        std::size_t batch, double* v) {
    std::vector<double> c(n);
    for (std::size_t j = 0; j < n; ++j) c[j] = slope[j] + product(H, pull, v, n, j);
    ActiveSet active(H, c.data(), pull, n, simplex, v);
    double largest = 0.0;
    for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::fabs(c[j]));
    const double enough = 1e-12 * (1.0 + largest);
    std::size_t came = 0;
    for (std::size_t pass = 0; pass < 20 * n + 20; ++pass) {
        active.find_support_target(came);
        came = 0;
        if (active.move_to_target()) continue;
        // After many passes one coordinate at a time, in case batches are added and dropped for ever.
        came = active.add_coordinates(pass < 2 * n ? batch : 1, enough);
        if (came == 0) break;
    }
    active.write(v);
}

}  // namespace frankboost
