// What the kernels but those of trees.hpp offer to the Python boundary, which checks every argument first.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
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

// Rows with their masses, the square roots of these and their sum.
template <class Real>
struct PickedRows {
    const std::int64_t* row;
    const double* mass;
    std::size_t count;
    std::vector<Real> root;
    double total = 0.0;

    PickedRows(const std::int64_t* rows, const double* masses, std::size_t size)
        : row(rows), mass(masses), count(size), root(size) {
        for (std::size_t i = 0; i < size; ++i) {
            root[i] = static_cast<Real>(std::sqrt(mass[i]));
            total += mass[i];
        }
    }
};

// out[k, i] = sqrt(mass_i) (a_i - mean), where a is column slots[k] over the picked rows and mean its mean under mass.
template <class Real>
void centred_columns(const Numbers& A, const std::int64_t* slots, std::size_t columns, const PickedRows<Real>& picked,
                     Real* out, int threads);
template <class Real>
void centred_columns(const Signs& A, const std::int64_t* slots, std::size_t columns, const PickedRows<Real>& picked,
                     Real* out, int threads);

// The entropy projection: distribution = argmin over d in P of d.margins + KL(d || prior) / eta; returns that minimum.
double project(const double* margins, const double* prior, const double* caps, std::size_t rows, double eta,
               double* distribution, int threads);

// min over d in P of d.margins; the caps sum to at least 1.
double soft_margin(const double* margins, const double* caps, std::size_t rows, int threads);

// v := argmax of c.v - v.Hv/2 over v >= 0, or over the simplex; v holds a start, from which only its support is used.
// Coordinates come in `batch` at a time.
void maximise_quadratic(const double* H, const double* c, std::size_t n, bool simplex, std::size_t batch, double* v);

}  // namespace frankboost
