// The Cholesky factor of a block of a symmetric matrix, kept up to date as coordinates come and go, k^2 steps for each.
#pragma once

#include <cstddef>
#include <vector>

namespace frankboost {

// The sum of products, in a fixed order, whatever the vector width.
double dot(const double* a, const double* b, std::size_t count);

// a -= factor b.
void subtract(double* a, const double* b, double factor, std::size_t count);

// The upper factor R of H + pull I over an ordered support, R^T R, by rows, and R^-T c, as if c were one more column.
class Factor {
    const double *H_, *c_;
    double pull_;
    std::size_t n_, stride_;
    std::vector<double> entry_;       // room for n rows, padded
    std::vector<std::size_t> place_;  // where row i stands
    std::vector<double> known_;       // R^-T c

    double* row(std::size_t i) { return entry_.data() + place_[i] * stride_; }
    const double* row(std::size_t i) const { return entry_.data() + place_[i] * stride_; }
    void solve_forward(double* b, std::size_t k) const;   // b := R^-T b
    void solve_backward(double* b, std::size_t k) const;  // b := R^-1 b

  public:
    std::vector<std::size_t> support;

    Factor(const double* H, double pull, const double* c, std::size_t n);

    std::size_t size() const { return support.size(); }

    // All at once, on an empty factor; false, and still empty, if the block is not positive definite to rounding.
    bool start(const std::vector<std::size_t>& columns);

    // False if the block would no longer be positive definite to rounding.
    bool add(std::size_t j);

    // Drop the coordinate at `at`: its column goes, and its row is taken in by those below it.
    void remove(std::size_t at);

    // b := (R^T R)^-1 b.
    void solve(double* b) const;

    // x := (R^T R)^-1 c, in half the time.
    void solve_known(std::vector<double>& x) const;
};

}  // namespace frankboost
