// The Python functions of margin matrices, distributions and quadratic programs. They check every array, and release
// the GIL while the kernels run. Tests: tests/test_native.py, whose names say "refuse" for the checks.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>
#include <type_traits>

#include "arrays.hpp"
#include "exponentials.hpp"
#include "kernels.hpp"

namespace frankboost {
namespace {

// The number of columns that a margin matrix can hold: one per row of the array of floats, eight per row of bytes.
template <class Entry>
std::size_t column_capacity(const Matrix<Entry>& matrix) {
    return matrix.shape(0) * (std::is_same_v<Entry, std::uint8_t> ? 8 : 1);
}

template <class Entry>
MatrixView<Entry> view_of(const Matrix<Entry>& matrix) {
    return {matrix.data(), matrix.shape(1)};
}

// Packs columns of +1 and -1 into a matrix, from column `first` on.
void set_signs(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> matrix,
               const Matrix<std::int8_t>& columns, std::size_t first, int threads) {
    const std::size_t count = columns.shape(0), rows = columns.shape(1);
    require(matrix.shape(1) == rows, "matrix and columns differ in their rows");
    require(first + count <= 8 * matrix.shape(0), "more columns than the matrix has room for");
    without_gil([&] { append_signs(columns.data(), count, rows, first, matrix.data(), threads); });
}

template <class Entry>
Owned<double> matrix_margins(const Matrix<Entry>& matrix, const Vector<double>& weights, int threads) {
    require(weights.size() <= column_capacity(matrix), "more weights than columns in the margin matrix");
    return filled_array<double>(
        matrix.shape(1), [&](double* out) { margins(view_of(matrix), weights.data(), weights.size(), out, threads); });
}

template <class Entry>
Owned<double> matrix_edges(const Matrix<Entry>& matrix, std::size_t columns, const Vector<double>& distribution,
                           int threads) {
    require(columns <= column_capacity(matrix), "more columns asked for than the margin matrix has");
    require(distribution.size() == matrix.shape(1), "distribution and margin matrix differ in their rows");
    return filled_array<double>(
        columns, [&](double* out) { edges(view_of(matrix), distribution.data(), columns, out, threads); });
}

// A test whether a number is in [0, end).
const auto is_below = [](std::size_t end) {
    return [end](std::int64_t k) { return k >= 0 && static_cast<std::size_t>(k) < end; };
};

Owned<double, nb::ndim<2>> covariance_of_signs(const Matrix<std::uint8_t>& matrix, const Vector<std::int64_t>& slots,
                                               const Vector<std::int64_t>& picked, double mass, int threads) {
    require(all_of(slots, is_below(column_capacity(matrix))), "a slot is outside the margin matrix");
    require(all_of(picked, is_below(matrix.shape(1))), "a picked row is outside the margin matrix");
    require(picked.size() > 0 && is_positive(mass), "rows and a positive mass are needed");
    const std::size_t size = slots.size();
    std::vector<double> out(size * size);
    without_gil([&] {
        sign_covariance(view_of(matrix), slots.data(), size, picked.data(), picked.size(), mass, out.data(), threads);
    });
    return to_numpy<Owned<double, nb::ndim<2>>>(std::move(out), {size, size});
}

// Writes into `out`, so that columns of several matrices can share one array.
template <class Entry, class Real>
void matrix_scaled(const Matrix<Entry>& matrix, const Vector<std::int64_t>& slots, const Vector<std::int64_t>& picked,
                   const Vector<Real>& factor,
                   nb::ndarray<nb::numpy, Real, nb::ndim<2>, nb::c_contig, nb::device::cpu> out, int threads) {
    require(factor.size() == picked.size() && out.shape(0) == slots.size() && out.shape(1) == picked.size(),
            "slots, picked, factor and out differ in size");
    require(all_of(slots, is_below(column_capacity(matrix))), "a slot is outside the margin matrix");
    require(all_of(picked, is_below(matrix.shape(1))), "a picked row is outside the margin matrix");
    without_gil([&] {
        const PickedRows<Real> rows{picked.data(), factor.data(), picked.size()};
        scaled_columns(view_of(matrix), slots.data(), slots.size(), rows, out.data(), threads);
    });
}

// The checked arguments that projection and soft margin share, without caps.
Weighted weighted(const Vector<double>& margins, const Vector<double>& weight, double nu, double total, int threads) {
    require(margins.size() > 0, "margins must not be empty");
    require(weight.size() == margins.size(), "margins and weight differ in length");
    require(nu > 0.0 && nu <= 1.0, "nu must be in (0, 1]");
    require(is_positive(total) && is_finite(total), "total must be positive and finite");
    require(all_of(margins, is_finite, threads) && all_of(weight, is_positive, threads),
            "margins must be finite, weight positive");
    return {weight.data(), nullptr, margins.size(), nu, total};
}

std::tuple<Owned<double>, double> project_margins(const Vector<double>& margins, const Vector<double>& weight,
                                                  const Vector<double>& caps, double nu, double total, double eta,
                                                  int threads) {
    Weighted examples = weighted(margins, weight, nu, total, threads);
    require(caps.size() == margins.size(), "margins and caps differ in length");
    require(all_of(caps, is_positive, threads), "caps must be positive");
    require(eta > 0.0 && std::isfinite(eta), "eta must be positive and finite");
    require(all_of(
                margins, [&](double margin) { return is_finite(eta * margin); }, threads),
            "eta times margins must be finite");
    examples.caps = caps.data();
    double value = 0.0;
    auto distribution = filled_array<double>(
        examples.rows, [&](double* d) { value = project(margins.data(), examples, eta, d, threads); });
    return {std::move(distribution), value};
}

std::pair<double, double> soft_margin_of(const Vector<double>& margins, const Vector<double>& weight, double nu,
                                         double total, int threads) {
    const Weighted examples = weighted(margins, weight, nu, total, threads);
    return without_gil([&] { return soft_margin(margins.data(), examples, threads); });
}

double log_of(double x) {
    require(is_positive(x) && is_finite(x), "x must be positive and finite");
    return log_positive(x);
}

Owned<double> snap_distribution(const Vector<double>& d, const Vector<double>& caps, int threads) {
    require(d.size() > 0 && caps.size() == d.size(), "d and caps differ in length, or are empty");
    require(all_of(d, [](double x) { return x >= 0.0 && is_finite(x); }, threads), "d must be finite and not negative");
    // Adding 2^52 rounds to a whole number, and vectorises as a call of floor does not.
    const auto whole = [](double cap) { return cap >= 0.0 && cap <= 0x1p52 && (cap + 0x1p52) - 0x1p52 == cap; };
    require(all_of(caps, whole, threads), "caps must be whole numbers of units up to 2^52");
    return filled_array<double>(d.size(), [&](double* out) { snap(d.data(), caps.data(), d.size(), out, threads); });
}

ClassVotes class_votes(const Vector<double>& votes, const Vector<std::int64_t>& code, std::size_t classes) {
    require(classes > 1 && code.size() > 0, "there must be rows, and classes to tell apart");
    require(votes.size() == classes * code.size(), "votes and code differ in their rows");
    require(all_of(code, is_below(classes)), "a row's class is none of the classes");
    require(all_of(votes, is_finite), "votes must be finite");
    return {votes.data(), code.data(), classes, code.size()};
}

Owned<double> class_margins(const Vector<double>& votes, const Vector<std::int64_t>& code, std::size_t classes,
                            int threads) {
    const ClassVotes given = class_votes(votes, code, classes);
    return filled_array<double>(given.rows, [&](double* out) { least_margins(given, out, threads); });
}

std::pair<Owned<double>, Owned<double>> soft_class_margins(const Vector<double>& votes,
                                                           const Vector<std::int64_t>& code, std::size_t classes,
                                                           double eta, int threads) {
    const ClassVotes given = class_votes(votes, code, classes);
    require(is_positive(eta) && is_finite(eta), "eta must be positive and finite");
    std::vector<double> margins(given.rows);
    auto shares = filled_array<double>(
        votes.size(), [&](double* out) { soft_least_margins(given, eta, margins.data(), out, threads); });
    return {to_numpy(std::move(margins)), std::move(shares)};
}

Owned<double> dealt_to_classes(const Vector<double>& shares, const Vector<double>& d, const Vector<std::int64_t>& code,
                               std::size_t classes, int threads) {
    const ClassVotes given = class_votes(shares, code, classes);
    require(d.size() == code.size(), "d and code differ in their rows");
    require(all_of(shares, [](double x) { return x >= 0.0; }), "shares must not be negative");
    require(all_of(d, [](double x) { return x >= 0.0 && x <= 1.0; }), "d must be in [0, 1]");
    return filled_array<double>(shares.size(), [&](double* out) { deal_to_classes(given, d.data(), out, threads); });
}

Owned<double> quadratic(const Matrix<double>& H, const Vector<double>& slope, const Vector<double>& start, double pull,
                        bool simplex, std::size_t batch) {
    const std::size_t n = slope.size();
    require(n > 0 && H.shape(0) == n && H.shape(1) == n && start.size() == n, "H, slope and start differ in size");
    double mass = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
        require(start.data()[j] >= 0.0 && H.data()[j * n + j] + pull > 0.0,
                "start and the diagonal of H must be positive");
        mass += start.data()[j];
    }
    require(batch > 0, "batch must be positive");
    require(!simplex || mass > 0.0, "a start on the simplex is needed");
    return filled_array<double>(n, [&](double* v) {
        std::copy_n(start.data(), n, v);
        maximise_quadratic(H.data(), slope.data(), pull, n, simplex, batch, v);
    });
}

template <class Entry>
void bind_matrix(nb::module_& module) {
    const auto threads = nb::arg("threads");
    module.def("margins", &matrix_margins<Entry>, array_arg("matrix"), array_arg("weights"), threads);
    module.def("edges", &matrix_edges<Entry>, array_arg("matrix"), nb::arg("columns"), array_arg("distribution"),
               threads);
    const auto bind_scaled = [&](auto kernel) {
        module.def("scaled_columns", kernel, array_arg("matrix"), array_arg("slots"), array_arg("picked"),
                   array_arg("factor"), array_arg("out"), threads);
    };
    bind_scaled(&matrix_scaled<Entry, float>);
    bind_scaled(&matrix_scaled<Entry, double>);
}

}  // namespace

void bind_matrices(nb::module_& module) {
    using namespace nb::literals;
    bind_matrix<std::uint8_t>(module);
    bind_matrix<float>(module);
    module.def("set_signs", &set_signs, array_arg("matrix"), array_arg("columns"), "first"_a, "threads"_a);
    module.def("sign_covariance", &covariance_of_signs, array_arg("matrix"), array_arg("slots"), array_arg("picked"),
               "mass"_a, "threads"_a);
    module.def("project", &project_margins, array_arg("margins"), array_arg("weight"), array_arg("caps"), "nu"_a,
               "total"_a, "eta"_a, "threads"_a);
    module.def("soft_margin", &soft_margin_of, array_arg("margins"), array_arg("weight"), "nu"_a, "total"_a,
               "threads"_a);
    module.def("class_margins", &class_margins, array_arg("votes"), array_arg("code"), "classes"_a, "threads"_a);
    module.def("soft_class_margins", &soft_class_margins, array_arg("votes"), array_arg("code"), "classes"_a, "eta"_a,
               "threads"_a);
    module.def("dealt_to_classes", &dealt_to_classes, array_arg("shares"), array_arg("d"), array_arg("code"),
               "classes"_a, "threads"_a);
    module.def("log", &log_of, "x"_a);
    module.def("snap", &snap_distribution, array_arg("d"), array_arg("caps"), nb::arg("threads") = 1);
    module.def("maximise_quadratic", &quadratic, array_arg("H"), array_arg("slope"), array_arg("start"), "pull"_a,
               "simplex"_a, "batch"_a = 1);
}

}  // namespace frankboost
