// What the kernels but those of trees.hpp offer to the Python boundary, which checks every argument first.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace frankboost {

// A margin matrix, column by column: of floats, or of -1 and +1, eight columns to a byte (sign_matrix.cpp).
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

// Packs columns of -1 and +1, which have 0 there so far, from number `first` of a matrix on.
void append_signs(const std::int8_t* columns, std::size_t count, std::size_t rows, std::size_t first,
                  std::uint8_t* matrix, int threads);

// Some rows, each with a factor.
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

// The covariance of columns of signs over picked rows, which may be there more than once: each of them has the same
// share of a mass.
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

// min over d in P of d.margins, for which no caps are needed, and the margin up to which rows count in it.
std::pair<double, double> soft_margin(const double* margins, const Weighted& examples, int threads);

// Numbers for each of many classes, one vector of rows per class, and the number of each row's own class.
struct ClassVotes {
    const double* votes;
    const std::int64_t* code;
    std::size_t classes, rows;
};

// The least of the margins (own - other) / 2 of each row, and a softer one: -ln of the mean over the other classes of
// e^(-eta margin), over eta. The others' shares of that mean are in proportion to `shares`, whose own class has 0.
void least_margins(const ClassVotes& votes, double* margins, int threads);
void soft_least_margins(const ClassVotes& votes, double eta, double* margins, double* shares, int threads);

// Each row's d on the grid, dealt out in whole units in proportion to its shares, or evenly if it has none: halves =
// d/2 for the own class, and minus half of what each of the others gets.
void deal_to_classes(const ClassVotes& shares, const double* d, double* halves, int threads);

// The distribution next to d on the grid of 2^-52 that sums to 1 and keeps to caps, which are in units of the grid;
// beyond them it goes only if they sum to less than 1.
void snap(const double* d, const double* caps, std::size_t rows, double* snapped, int threads);

// Its steps, for rows that lie apart: round down, in place, which returns the sum; then hand out units to rows that may
// take more, up to a share for each, which returns what was given, or one for each of the first.
enum class Takers { with_weight, below_their_caps, all };
double round_to_grid(double* d, const double* caps, std::size_t rows);
std::size_t open_rows(Takers takers, const double* caps, std::size_t rows, const double* d);
double give_each(Takers takers, const double* caps, std::size_t rows, double share, double* d);
void give_first(Takers takers, const double* caps, std::size_t rows, std::size_t count, double* d);

// v := argmax of slope.(v - start) - (v - start).(H + pull I)(v - start)/2 over v >= 0, or over the simplex; v holds
// the start. Coordinates come in `batch` at a time.
void maximise_quadratic(const double* H, const double* slope, double pull, std::size_t n, bool simplex,
                        std::size_t batch, double* v);

}  // namespace frankboost
