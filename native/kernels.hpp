// What the kernels offer to the Python boundary in module.cpp, which checks every argument first.
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
void sign_edges(const std::uint8_t* packed, std::size_t columns, std::size_t rows, const double* distribution, double* out,
                int threads);
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

// Trees as flat node arrays; tree t starts at node roots[t], and children are offsets from there.
struct Forest {
    const std::int64_t* roots;
    std::size_t trees;
    const std::int32_t* feature;  // -1 in a leaf
    const double* threshold;
    const std::uint8_t* missing_left;
    const std::int32_t* left;
    const std::int32_t* right;
    const std::int8_t* value;
    std::int64_t last_size;       // nodes of the last tree
    const std::uint64_t* subset;  // 256 bits a node; a split whose threshold is NaN sends these categories left
};

// votes[i] = sum over trees of weights[t] * tree t at row i.
void vote(const Forest& forest, const double* weights, const double* X, std::size_t rows, std::size_t features,
          double* votes, int threads);

// The binned training set, feature by feature: codes 0 .. bins-1, and `bins` for a missing value. The bins of a
// categorical feature, at most 255, are its categories.
template <class Code>
struct Features {
    const Code* codes;  // features x rows
    std::size_t features;
    std::size_t rows;
    const std::int32_t* bins;
    const std::uint8_t* missing;  // whether the feature has missing values
    const std::uint8_t* categorical;
};

// Forest's trees, with a split as the last bin that goes left in place of a threshold, if its feature is not categorical.
struct BinnedForest {
    const std::int64_t* roots;
    std::size_t trees;
    const std::int32_t* feature;
    const std::int32_t* last_bin;
    const std::uint8_t* missing_left;
    const std::int32_t* left;
    const std::int32_t* right;
    const std::int8_t* value;
    const std::uint64_t* subset;
};

// votes[t, i] = tree t at row i of the binned training set.
template <class Code>
void binned_votes(const Features<Code>& data, const BinnedForest& forest, std::int8_t* votes, int threads);

// sums[node] += the sum of u over the rows that reach a leaf; other nodes are left alone.
template <class Code>
void leaf_sums(const Features<Code>& data, const BinnedForest& forest, const double* u, double* sums, int threads);

// For each feature the best split: its pay-off, the last bin that goes left (-1: none), where missing values go. On a
// categorical feature bin is only 0 or -1, and the categories that go left are 256 bits of subset, which is empty if no
// feature is categorical.
struct Splits {
    std::vector<double> value;
    std::vector<std::int32_t> bin;
    std::vector<std::uint8_t> missing_left;
    std::vector<std::uint64_t> subset;
    explicit Splits(std::size_t features) : value(features, -1.0), bin(features, -1), missing_left(features, 0) {}
};

// The best stump on each feature, for signed weights u_i = d_i y_i.
template <class Code>
Splits best_stumps(const Features<Code>& data, const double* u, int threads);

// The best root on each feature for a depth-2 tree whose two children are best stumps.
template <class Code>
Splits best_roots(const Features<Code>& data, const double* u, int threads);

// Trees as BinnedForest's arrays, one after the other.
struct Nodes {
    std::vector<std::int64_t> roots;
    std::vector<std::int32_t> feature, last_bin, left, right;
    std::vector<std::uint8_t> missing_left;
    std::vector<std::int8_t> value;
    std::vector<std::uint64_t> subset;  // empty if no feature is categorical
};

// The depth-2 trees of largest edge, best first, at most one for each root feature; the first is the best of all. None if
// no feature can be split.
template <class Code>
Nodes best_trees(const Features<Code>& data, const double* u, std::size_t columns, int threads);

}  // namespace frankboost
