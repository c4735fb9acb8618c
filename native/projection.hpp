// The entropy projection step by step, for rows in one place or in parts: each part computes sums over its rows.
//
// Each term of a sum is rounded to a multiple of a power of two that is so large that the sums are exact. So they are
// the same in any order, for any blocks, vector lanes or parts of the rows.
#pragma once

#include <optional>

#include "exponentials.hpp"
#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {

// (x + magic) - magic is x rounded to a multiple of a quantum; sums of such terms are exact up to `bound`.
inline double magic_for(double bound) {
    int exponent = 0;
    std::frexp(bound, &exponent);          // bound < 2^exponent
    return std::ldexp(1.5, exponent + 1);  // the quantum is 2^(exponent - 51)
}

// The two magic numbers of a sum in two parts: the sum of the rounded terms, and the sum of the rounding errors, which
// are rounded far more finely.
struct Magics {
    double coarse, fine;
    Magics(double bound, double count) : coarse(magic_for(bound)), fine(magic_for(count * coarse * 0x1p-52)) {}
};

// How the terms of a sum of weights are rounded if the sum is only compared with an amount. A term counts for at most
// `heaviest`, twice that amount: the sum is too large then in any case, and the rounding of larger terms would hide
// light rows.
struct Terms {
    double heaviest;
    Magics magic;
    Terms(double amount, double total, double rows)
        : heaviest(2.0 * amount), magic(std::min(total, rows * heaviest), rows) {}
};

template <class Number>
struct ExactSum {
    Number high{}, low{};
    FRANKBOOST_INLINE void add(const Number& term, const Magics& magic) {
        const Number rounded = (term + magic.coarse) - magic.coarse;
        high += rounded;
        low += ((term - rounded) + magic.fine) - magic.fine;
    }
    FRANKBOOST_INLINE void add(const Number& term, const Terms& terms) {
        const Number most = Number{} + terms.heaviest;
        add(term < most ? term : most, terms.magic);
    }
    FRANKBOOST_INLINE void add(const ExactSum& other) {
        high += other.high;
        low += other.low;
    }
};

inline double value_of(const ExactSum<double>& sum) { return sum.high + sum.low; }

// The step from row to row in the sample that gives the start of Newton's method.
inline std::size_t sample_stride(std::size_t rows) { return std::max<std::size_t>(1, rows / 2048); }

// Where Newton's method starts, from the keys and sample weights of all rows or of a sample.
double projection_start(const double* key, const double* weight, std::size_t rows, double nu, bool sampled);

// The sums over rows at a limit: `capped` is the weight of the rows whose key is at or above it, which are at their
// cap; `free` is the sum of s_i power_i over the other rows, and `top` their largest key. When the distribution is
// filled: the sum of d_i key_i over the capped rows, and the sum of d_i over the free rows.
struct KeySums {
    ExactSum<double> capped, free;
    double top = -infinity;
};

// The least and the largest margin.
std::pair<double, double> extremes(const double* margins, std::size_t rows, int threads);
// Keys k_i = start - eta margin_i.
void projection_keys(const double* margins, std::size_t rows, double start, double eta, double* key, int threads);
void projection_powers(const double* key, std::size_t rows, double shift, double* power, int threads);
KeySums projection_sums(const double* key, const double* power, const double* weight, std::size_t rows, double limit,
                        const Terms& of_capped, const Terms& of_free, int threads);
double largest_key(const double* key, std::size_t rows, int threads);  // the largest |key|
// d from the keys and the powers, rounded down to the grid, where `units` are the caps. Also returns the sum of d.
std::pair<KeySums, double> fill_on_grid(const double* key, const double* power, const double* caps, const double* units,
                                        std::size_t rows, double limit, double scale, const Magics& of_keys,
                                        const Magics& of_mass, double* d, int threads);

// Newton's method for t, which is given the sums at each limit. The sums are of sample weights, not of prior weights:
// as a rule these are whole numbers, and the capped rows add up exactly.
class ProjectionSteps {
    double whole_, total_, rows_, jump_ = 1.0;
    bool below_ = true;  // the start may be below t

    void move_shift(double to);

  public:
    double limit, shift;  // rows with a key at or above the limit are at their cap; power_i = exp(key_i - shift)
    bool fresh = true;    // whether the powers have to be computed for a new shift
    Terms capped, free;   // how the terms of the two sums are rounded

    // `total` is the sum of the sample weights.
    ProjectionSteps(double start, std::size_t rows, double nu, double total)
        : whole_(nu * total), total_(total), rows_(static_cast<double>(rows)), limit(start), shift(start),
          capped(whole_, total, rows_), free(capped) {}

    // Takes a step, given the weight of the capped rows, the sum of s_i power_i over the free rows, and their largest
    // key. Returns the scale with which d_i = c_i power_i scale sums to 1, if it is found.
    std::optional<double> next(double at_caps, double below_caps, double top);

    // The minimum, from the sum of d_i key_i over the capped rows and the sum of d_i over the free rows.
    double value(double scale, double paid_capped, double paid_free, double eta) const;
};

}  // namespace frankboost
