// The kernels that need no trees: products with margin matrices, distributions, many classes, quadratic programs. The
// Python boundary checks every argument before it calls them; tests/test_native.py compares them with NumPy.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace frankboost {

// A margin matrix, one column after the other: of floats, or of -1 and +1 with eight columns per byte
// (sign_matrix.cpp).
template <class Entry>
struct MatrixView {
    const Entry* entries;
    std::size_t rows;
};
using Numbers = MatrixView<float>;
using Signs = MatrixView<std::uint8_t>;

// out = A w, for the first columns of A.
void margins(const Numbers& A, const double* weights, std::size_t columns, double* out, int threads);
void margins(const Signs& A, const double* weights, std::size_t columns, double* out, int threads);

// out = A^T d.
void edges(const Numbers& A, const double* distribution, std::size_t columns, double* out, int threads);
void edges(const Signs& A, const double* distribution, std::size_t columns, double* out, int threads);

// Packs columns of -1 and +1 into a matrix, from column `first` on; the bits there must be 0.
void append_signs(const std::int8_t* columns, std::size_t count, std::size_t rows, std::size_t first,
                  std::uint8_t* matrix, int threads);

// A selection of rows, each with a factor.
template <class Real>
struct PickedRows {
    const std::int64_t* row;
    const Real* factor;
    std::size_t count;
};

// out[k, i] = factor_i a_i, where a is column slots[k] over the picked rows.
template <class Real>
void scaled_columns(const Numbers& A, const std::int64_t* slots, std::size_t columns, const PickedRows<Real>& picked,
                    Real* out, int threads);
template <class Real>
void scaled_columns(const Signs& A, const std::int64_t* slots, std::size_t columns, const PickedRows<Real>& picked,
                    Real* out, int threads);

// The covariance of columns of signs over picked rows that share a mass equally; a row may be picked more than once.
void sign_covariance(const Signs& A, const std::int64_t* slots, std::size_t columns, const std::int64_t* picked,
                     std::size_t rows, double mass, double* out, int threads);

// Rows with sample weights s_i, which sum to `total`, and caps c_i = s_i / (nu total).
struct Weighted {
    const double *weight, *caps;
    std::size_t rows;
    double nu, total;
};

// The entropy projection: distribution = argmin over d in P of d.margins + KL(d || prior) / eta; returns that minimum.
double project(const double* margins, const Weighted& examples, double eta, double* distribution, int threads);

// min over d in P of d.margins, which needs no `caps`, and the largest margin that counts in it.
std::pair<double, double> soft_margin(const double* margins, const Weighted& examples, int threads);

// Numbers per class and row, one vector of rows per class; and the number of each row's own class.
struct ClassVotes {
    const double* votes;
    const std::int64_t* code;
    std::size_t classes, rows;
};

// The least of the margins (own - other) / 2 of each row; and their soft minimum, -1/eta times ln of the mean of
// e^(-eta margin) over the other classes. `shares` get the terms of that mean, up to a factor, and 0 for the own class.
void least_margins(const ClassVotes& votes, double* margins, int threads);
void soft_least_margins(const ClassVotes& votes, double eta, double* margins, double* shares, int threads);

// Divides each row's d among the other classes, in whole units of the grid and in proportion to its shares, or evenly
// if these are 0: halves = d/2 for the own class, and minus half of what the class gets for each other class.
void deal_to_classes(const ClassVotes& shares, const double* d, double* halves, int threads);

// The distribution on the grid of 2^-52 next to d, with sum 1 and within the caps, which are in units of the grid. It
// exceeds the caps only if they sum to less than 1.
void snap(const double* d, const double* caps, std::size_t rows, double* snapped, int threads);

// The steps of snap, for rows in parts: round down in place, which returns the sum; count the rows that may take more;
// give each of them up to a share, which returns the sum of what was given; give the first of them one unit each.
enum class Takers { with_weight, below_their_caps, all };
double round_to_grid(double* d, const double* caps, std::size_t rows);
std::size_t open_rows(Takers takers, const double* caps, std::size_t rows, const double* d);
double give_each(Takers takers, const double* caps, std::size_t rows, double share, double* d);
void give_first(Takers takers, const double* caps, std::size_t rows, std::size_t count, double* d);

// v := argmax of slope.(v - start) - (v - start).(H + pull I)(v - start)/2 over v >= 0, or over the simplex. On entry v
// is the start. Up to `batch` coordinates at a time are added to the support.
void maximise_quadratic(const double* H, const double* slope, double pull, std::size_t n, bool simplex,
                        std::size_t batch, double* v);

}  // namespace frankboost
