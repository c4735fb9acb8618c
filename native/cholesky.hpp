// The Cholesky factor of a block of a symmetric matrix, updated in k^2 steps when a coordinate is added or removed: an
// active-set method (quadratic.cpp) needs no new factorisation per step.
#pragma once

#include <cstddef>
#include <vector>

namespace frankboost {

// The scalar product, summed in an order that does not depend on the vector width.
double dot(const double* a, const double* b, std::size_t count);

// a -= factor b.
void subtract(double* a, const double* b, double factor, std::size_t count);

// The upper factor R with R^T R = H + pull I over an ordered support, by rows; and R^-T c, like one more column of R.
class Factor {
    const double *H_, *c_;
    double pull_;
    std::size_t n_, stride_;
    std::vector<double> entry_;       // memory for n padded rows
    std::vector<std::size_t> place_;  // the place of row i in `entry_`
    std::vector<double> known_;       // R^-T c

    double* row(std::size_t i) { return entry_.data() + place_[i] * stride_; }
    const double* row(std::size_t i) const { return entry_.data() + place_[i] * stride_; }
    void solve_forward(double* b, std::size_t k) const;   // b := R^-T b
    void solve_backward(double* b, std::size_t k) const;  // b := R^-1 b

  public:
    std::vector<std::size_t> support;

    Factor(const double* H, double pull, const double* c, std::size_t n);

    std::size_t size() const { return support.size(); }

    // Factorises the block of some columns, on an empty factor. Returns false, and the factor stays empty, if the block
    // is not positive definite up to rounding.
    bool start(const std::vector<std::size_t>& columns);

    // Adds coordinate j; returns false, without a change, if the block would not be positive definite up to rounding.
    bool add(std::size_t j);

    // Removes the coordinate at a place of the support: drops its column, and rotates its row into the rows below.
    void remove(std::size_t at);

    // b := (R^T R)^-1 b.
    void solve(double* b) const;

    // x := (R^T R)^-1 c, in half the time, as R^-T c is known.
    void solve_known(std::vector<double>& x) const;
};

}  // namespace frankboost
