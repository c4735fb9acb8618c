// The entropy projection step by step, for rows that are all here or lie apart: whoever holds rows answers with sums.
//
// Each term of a sum is rounded to a multiple of a power of two so large that the sums are exact. So they are the same
// in any order, for any blocks, lanes or parts of the rows.
#pragma once

#include <optional>

#include "exponentials.hpp"
#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {

// (x + magic) - magic is x rounded to a multiple of a quantum; with |x| and the sums up to `bound` these are exact.
inline double magic_for(double bound) {
    int exponent = 0;
    std::frexp(bound, &exponent);          // bound < 2^exponent
    return std::ldexp(1.5, exponent + 1);  // the quantum is 2^(exponent - 51)
}

// A sum in two parts: of rounded terms, and of what rounding left of each, rounded far more finely.
struct Magics {
    double coarse, fine;
    Magics(double bound, double count) : coarse(magic_for(bound)), fine(magic_for(count * coarse * 0x1p-52)) {}
};

// Terms of a sum of weights that is compared with an amount. None counts for more than `heaviest`, twice that amount:
// the sum is too large then, however large, and light rows would drown beside heavier ones.
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

// Every so many rows tell where to start.
inline std::size_t sample_stride(std::size_t rows) { return std::max<std::size_t>(1, rows / 2048); }

// Where Newton's method starts, from the keys and sample weights of all rows or of a sample.
double projection_start(const double* key, const double* weight, std::size_t rows, double nu, bool sampled);

// What rows answer at a limit: the weight of those at their cap, whose key is at or above it, the sum of s_i power_i
// over the others, and their largest key. When the distribution is filled: the sums of d_i key_i and of d_i.
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
double largest_key(const double* key, std::size_t rows, int threads);  // in size
KeySums fill_distribution(const double* key, const double* power, const double* caps, std::size_t rows, double limit,
                          double scale, const Magics& of_keys, const Magics& of_mass, double* d, int threads);
// The same, and then d is rounded down to the grid, where the caps are `units`; with its sum.
std::pair<KeySums, double> fill_on_grid(const double* key, const double* power, const double* caps, const double* units,
                                        std::size_t rows, double limit, double scale, const Magics& of_keys,
                                        const Magics& of_mass, double* d, int threads);

// Newton's method for t, told of the sums at each limit. Sums are of sample weights, as a rule whole numbers: with them
// the capped rows add up exactly.
class ProjectionSteps {
    double whole_, total_, rows_, jump_ = 1.0;
    bool below_ = true;  // the start may be below t

    void move_shift(double to);

  public:
    double limit, shift;  // rows with a key at or above the limit are at their cap; power_i = exp(key_i - shift)
    bool fresh = true;    // the powers have still to be computed
    Terms capped, free;   // those of the sums

    // For rows whose sample weights sum to `total`.
    ProjectionSteps(double start, std::size_t rows, double nu, double total)
        : whole_(nu * total), total_(total), rows_(static_cast<double>(rows)), limit(start), shift(start),
          capped(whole_, total, rows_), free(capped) {}

    // The scale with which d_i = c_i power_i scale sums to 1, if it is found. Told of the weight of the capped rows,
    // the sum of s_i power_i over the free ones, and their largest key.
    std::optional<double> next(double at_caps, double below_caps, double top);

    // The minimum, from the sum of d_i key_i over the capped rows and of d_i over the free ones.
    double value(double scale, double paid_capped, double paid_free, double eta) const;
};

}  // namespace frankboost
