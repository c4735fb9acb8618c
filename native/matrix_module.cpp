// Margin matrices and distributions at the Python boundary: every array is checked here, and the GIL is released while
// the kernels run.
#include <nanobind/stl/tuple.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>

#include "arrays.hpp"
#include "kernels.hpp"

namespace frankboost {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

// A margin matrix holds one column per row of `matrix`, as floats, or eight of them as bits of bytes.
template <class Entry>
std::size_t room(const Matrix<Entry>& matrix) {
    return matrix.shape(0) * (std::is_same_v<Entry, std::uint8_t> ? 8 : 1);
}

template <class Entry>
Owned<double> matrix_margins(const Matrix<Entry>& matrix, const Vector<double>& weights, int threads) {
    require(weights.size() <= room(matrix), "more weights than columns in the margin matrix");
    std::vector<double> out(matrix.shape(1));
    {
        nb::gil_scoped_release release;
        if constexpr (std::is_same_v<Entry, std::uint8_t>)
            sign_margins(matrix.data(), weights.size(), matrix.shape(1), weights.data(), out.data(), threads);
        else
            margins(matrix.data(), weights.size(), matrix.shape(1), weights.data(), out.data(), threads);
    }
    return to_numpy(std::move(out));
}

template <class Entry>
Owned<double> matrix_edges(const Matrix<Entry>& matrix, std::size_t columns, const Vector<double>& distribution,
                           int threads) {
    require(columns <= room(matrix), "more columns asked for than the margin matrix has");
    require(distribution.size() == matrix.shape(1), "distribution and margin matrix differ in their rows");
    std::vector<double> out(columns);
    {
        nb::gil_scoped_release release;
        if constexpr (std::is_same_v<Entry, std::uint8_t>)
            sign_edges(matrix.data(), columns, matrix.shape(1), distribution.data(), out.data(), threads);
        else
            edges(matrix.data(), columns, matrix.shape(1), distribution.data(), out.data(), threads);
    }
    return to_numpy(std::move(out));
}

// Written into `out`, so that columns of several blocks can share one array.
template <class Entry, class Real>
void matrix_centred(const Matrix<Entry>& matrix, const Vector<std::int64_t>& slots, const Vector<std::int64_t>& picked,
                    const Vector<double>& mass,
                    nb::ndarray<nb::numpy, Real, nb::ndim<2>, nb::c_contig, nb::device::cpu> out, int threads) {
    require(mass.size() == picked.size() && out.shape(0) == slots.size() && out.shape(1) == picked.size(),
            "slots, picked, mass and out differ in size");
    for (std::size_t k = 0; k < slots.size(); ++k)
        require(slots.data()[k] >= 0 && static_cast<std::size_t>(slots.data()[k]) < room(matrix),
                "a slot is outside the margin matrix");
    for (std::size_t i = 0; i < picked.size(); ++i)
        require(picked.data()[i] >= 0 && static_cast<std::size_t>(picked.data()[i]) < matrix.shape(1) &&
                    mass.data()[i] > 0.0,
                "a picked row is outside the margin matrix, or has no mass");
    nb::gil_scoped_release release;
    if constexpr (std::is_same_v<Entry, std::uint8_t>)
        centred_signs(matrix.data(), matrix.shape(1), slots.data(), slots.size(), picked.data(), mass.data(),
                      picked.size(), out.data(), threads);
    else
        centred_columns(matrix.data(), matrix.shape(1), slots.data(), slots.size(), picked.data(), mass.data(),
                        picked.size(), out.data(), threads);
}

template <class Entry, class Real>
void bind_centred(nb::module_& module) {
    module.def("centred_columns", &matrix_centred<Entry, Real>, array("matrix"), array("slots"), array("picked"),
               array("mass"), array("out"), nb::arg("threads"));
}

std::tuple<Owned<double>, double> project_margins(const Vector<double>& margins, const Vector<double>& prior,
                                                  const Vector<double>& caps, double eta, int threads) {
    require(margins.size() > 0, "margins must not be empty");
    require(prior.size() == margins.size() && caps.size() == margins.size(),
            "margins, prior and caps differ in length");
    require(eta > 0.0 && std::isfinite(eta), "eta must be positive and finite");
    bool sound = true;
    for (std::size_t i = 0; i < margins.size(); ++i)
        sound &= std::fabs(eta * margins.data()[i]) <= largest && prior.data()[i] > 0.0 && caps.data()[i] > 0.0;
    require(sound, "eta times margins must be finite, prior and caps positive");
    std::vector<double> distribution(margins.size());
    double value = 0.0;
    {
        nb::gil_scoped_release release;
        value = project(margins.data(), prior.data(), caps.data(), margins.size(), eta, distribution.data(), threads);
    }
    return {to_numpy(std::move(distribution)), value};
}

double soft_margin_of(const Vector<double>& margins, const Vector<double>& caps, int threads) {
    require(margins.size() > 0, "margins must not be empty");
    require(caps.size() == margins.size(), "margins and caps differ in length");
    bool sound = true;
    for (std::size_t i = 0; i < margins.size(); ++i)
        sound &= std::fabs(margins.data()[i]) <= largest && caps.data()[i] > 0.0;
    require(sound, "margins must be finite, caps positive");
    nb::gil_scoped_release release;
    return soft_margin(margins.data(), caps.data(), margins.size(), threads);
}

Owned<std::int64_t> rows_below_caps(const Vector<double>& d, const Vector<double>& prior, const Vector<double>& caps,
                                    double share, std::size_t stride) {
    require(stride > 0 && d.size() > 0 && prior.size() == d.size() && caps.size() == d.size(),
            "d, prior and caps differ in length, or stride is 0");
    std::vector<std::int64_t> rows;
    {
        nb::gil_scoped_release release;
        rows = free_rows(d.data(), prior.data(), caps.data(), d.size(), share, stride);
    }
    return to_numpy(std::move(rows));
}

Owned<double> quadratic(const Matrix<double>& H, const Vector<double>& c, const Vector<double>& start, bool simplex,
                        std::size_t batch) {
    const std::size_t n = c.size();
    require(n > 0 && H.shape(0) == n && H.shape(1) == n && start.size() == n, "H, c and start differ in size");
    double mass = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
        require(start.data()[j] >= 0.0 && H.data()[j * n + j] > 0.0, "start and the diagonal of H must be positive");
        mass += start.data()[j];
    }
    require(batch > 0, "batch must be positive");
    require(!simplex || mass > 0.0, "a start on the simplex is needed");
    std::vector<double> v(start.data(), start.data() + n);
    {
        nb::gil_scoped_release release;
        maximise_quadratic(H.data(), c.data(), n, simplex, batch, v.data());
    }
    return to_numpy(std::move(v));
}

}  // namespace

void bind_matrices(nb::module_& module) {
    using namespace nb::literals;
    module.def("margins", &matrix_margins<std::uint8_t>, array("matrix"), array("weights"), "threads"_a);
    module.def("margins", &matrix_margins<float>, array("matrix"), array("weights"), "threads"_a);
    module.def("edges", &matrix_edges<std::uint8_t>, array("matrix"), "columns"_a, array("distribution"), "threads"_a);
    module.def("edges", &matrix_edges<float>, array("matrix"), "columns"_a, array("distribution"), "threads"_a);
    bind_centred<std::uint8_t, float>(module);
    bind_centred<std::uint8_t, double>(module);
    bind_centred<float, float>(module);
    bind_centred<float, double>(module);
    module.def("project", &project_margins, array("margins"), array("prior"), array("caps"), "eta"_a, "threads"_a);
    module.def("soft_margin", &soft_margin_of, array("margins"), array("caps"), "threads"_a);
    module.def("free_rows", &rows_below_caps, array("d"), array("prior"), array("caps"), "share"_a, "stride"_a);
    module.def("maximise_quadratic", &quadratic, array("H"), array("c"), array("start"), "simplex"_a, "batch"_a = 1);
}

}  // namespace frankboost
