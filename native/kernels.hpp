// What the kernels but those of trees.hpp offer to the Python boundary, which checks every argument first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace frankboost {

// code[i] = number of thresholds below x[i]; `missing` where x[i] is NaN.
template <class Code>
void bin_values(const double* x, std::size_t rows, const double* thresholds, std::size_t count, Code missing,
                Code* codes);

// out = A w, for a column-by-column matrix A (columns x rows).
void margins(const float* matrix, std::size_t columns, std::size_t rows, const double* weights, double* out,
             int threads);

// out = A^T d.
void edges(const float* matrix, std::size_t columns, std::size_t rows, const double* distribution, double* out,
           int threads);

// out[k, i] = sqrt(mass_i) (a_i - mean), where a is column slots[k] over the given rows and mean its mean under mass.
template <class Real>
void centred_columns(const float* matrix, std::size_t rows, const std::int64_t* slots, std::size_t columns,
                     const std::int64_t* picked, const double* mass, std::size_t count, Real* out, int threads);

// The same three for a matrix of -1 and +1, eight columns to a byte (sign_matrix.cpp).
void sign_margins(const std::uint8_t* packed, std::size_t columns, std::size_t rows, const double* weights, double* out,
                  int threads);
void sign_edges(const std::uint8_t* packed, std::size_t columns, std::size_t rows, const double* distribution,
                double* out, int threads);
template <class Real>
void centred_signs(const std::uint8_t* packed, std::size_t rows, const std::int64_t* slots, std::size_t columns,
                   const std::int64_t* picked, const double* mass, std::size_t count, Real* out, int threads);

// The entropy projection: distribution = argmin over d in P of d.margins + KL(d || prior) / eta; returns that minimum.
double project(const double* margins, const double* prior, const double* caps, std::size_t rows, double eta,
               double* distribution, int threads);

// min over d in P of d.margins; the caps sum to at least 1.
double soft_margin(const double* margins, const double* caps, std::size_t rows, int threads);

// Of every stride-th row, those below their cap whose density d/prior is above a share of the largest.
std::vector<std::int64_t> free_rows(const double* d, const double* prior, const double* caps, std::size_t rows,
                                    double share, std::size_t stride);

// v := argmax of c.v - v.Hv/2 over v >= 0, or over the simplex; v holds a start, from which only its support is used.
// Coordinates come in `batch` at a time.
void maximise_quadratic(const double* H, const double* c, std::size_t n, bool simplex, std::size_t batch, double* v);

}  // namespace frankboost
