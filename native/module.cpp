// The Python boundary: every array is checked here, and the GIL is released while the kernels run.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <type_traits>

#include "category_search.hpp"
#include "kernels.hpp"

namespace nb = nanobind;
using namespace frankboost;

namespace {

template <class T, class Shape>
using Array = nb::ndarray<const T, Shape, nb::c_contig, nb::device::cpu>;
template <class T>
using Vector = Array<T, nb::ndim<1>>;
template <class T>
using Matrix = Array<T, nb::ndim<2>>;
template <class T>
using Owned = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

constexpr double largest = std::numeric_limits<double>::max();

// The message is a literal: this runs once an element, and a string would be built each time.
void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

template <class T>
Owned<T> to_numpy(std::vector<T>&& values) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Owned<T>(kept->data(), {kept->size()}, owner);
}

// Sets of categories, 256 bits each.
using Sets = Array<std::uint64_t, nb::shape<-1, set_words>>;
using OwnedSets = nb::ndarray<nb::numpy, std::uint64_t, nb::shape<-1, set_words>>;

OwnedSets sets_to_numpy(std::vector<std::uint64_t>&& words) {
    auto* kept = new std::vector<std::uint64_t>(std::move(words));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<std::uint64_t>*>(p); });
    return OwnedSets(kept->data(), {kept->size() / set_words, set_words}, owner);
}

template <class Code>
Owned<Code> bin_column(const Vector<double>& x, const Vector<double>& thresholds) {
    for (std::size_t i = 1; i < thresholds.size(); ++i)
        require(thresholds.data()[i - 1] < thresholds.data()[i], "thresholds must increase");
    const auto most = static_cast<std::size_t>(std::numeric_limits<Code>::max());
    require(thresholds.size() <= most, "too many thresholds for the code");
    const auto missing = std::min(thresholds.size() + 1, most);
    if (thresholds.size() == most)
        for (std::size_t i = 0; i < x.size(); ++i) require(!std::isnan(x.data()[i]), "no code left for a missing value");
    std::vector<Code> codes(x.size());
    {
        nb::gil_scoped_release release;
        bin_values<Code>(x.data(), x.size(), thresholds.data(), thresholds.size(), static_cast<Code>(missing),
                         codes.data());
    }
    return to_numpy(std::move(codes));
}

// A margin matrix holds a column a row of `matrix`, as floats, or eight of them as bits of bytes.
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
                    const Vector<double>& mass, nb::ndarray<Real, nb::ndim<2>, nb::c_contig, nb::device::cpu> out,
                    int threads) {
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
    module.def("centred_columns", &matrix_centred<Entry, Real>, nb::arg("matrix").noconvert(),
               nb::arg("slots").noconvert(), nb::arg("picked").noconvert(), nb::arg("mass").noconvert(),
               nb::arg("out").noconvert(), nb::arg("threads"));
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
    require(stride > 0 && d.size() > 0 && prior.size() == d.size() && caps.size() == d.size(), "d, prior and caps differ in length, or stride is 0");
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

void check_nodes(const Vector<std::int64_t>& roots, const Vector<std::int32_t>& feature,
                 const Vector<std::uint8_t>& missing_left, const Vector<std::int32_t>& left,
                 const Vector<std::int32_t>& right, const Vector<std::int8_t>& value, std::size_t features) {
    const auto nodes = static_cast<std::int64_t>(feature.size());
    require(missing_left.size() == feature.size() && left.size() == feature.size() && right.size() == feature.size() &&
                value.size() == feature.size(),
            "node arrays differ in length");
    for (std::size_t t = 0; t < roots.size(); ++t) {
        const auto begin = roots.data()[t], end = t + 1 < roots.size() ? roots.data()[t + 1] : nodes;
        require(begin >= 0 && begin < end && end <= nodes, "trees must follow one another in the node arrays");
        for (auto node = begin; node < end; ++node) {
            if (feature.data()[node] < 0) continue;
            require(static_cast<std::size_t>(feature.data()[node]) < features, "a node asks for a feature X lacks");
            // Children after their parent and inside the tree: every walk ends.
            for (auto child : {left.data()[node], right.data()[node]})
                require(child > node - begin && child < end - begin, "a node's children must follow it in its tree");
        }
    }
}

Owned<double> forest_vote(const Vector<std::int64_t>& roots, const Vector<std::int32_t>& feature,
                          const Vector<double>& threshold, const Vector<std::uint8_t>& missing_left,
                          const Vector<std::int32_t>& left, const Vector<std::int32_t>& right,
                          const Vector<std::int8_t>& value, const Sets& subset, const Vector<double>& weights,
                          const Matrix<double>& X, int threads) {
    require(threshold.size() == feature.size(), "node arrays differ in length");
    for (std::size_t node = 0; node < feature.size(); ++node)
        require(feature.data()[node] < 0 || !std::isnan(threshold.data()[node]) || subset.shape(0) == feature.size(),
                "a split without a threshold needs a set of categories");
    check_nodes(roots, feature, missing_left, left, right, value, X.shape(1));
    require(weights.size() == roots.size(), "weights and trees differ in number");
    std::vector<double> votes(X.shape(0));
    const Forest forest{roots.data(), roots.size(), feature.data(), threshold.data(),
                        missing_left.data(), left.data(), right.data(), value.data(),
                        roots.size() == 0 ? 0 : static_cast<std::int64_t>(feature.size()) - roots.data()[roots.size() - 1],
                        subset.data()};
    {
        nb::gil_scoped_release release;
        vote(forest, weights.data(), X.data(), X.shape(0), X.shape(1), votes.data(), threads);
    }
    return to_numpy(std::move(votes));
}

// The binned training set, checked once; searched once a round.
template <class Code>
class TreeSearch {
    Matrix<Code> codes_;
    Vector<std::int32_t> bins_;
    Vector<std::uint8_t> missing_;
    Vector<std::uint8_t> categorical_;

  public:
    TreeSearch(Matrix<Code> codes, Vector<std::int32_t> bins, Vector<std::uint8_t> missing,
               Vector<std::uint8_t> categorical)
        : codes_(std::move(codes)), bins_(std::move(bins)), missing_(std::move(missing)),
          categorical_(std::move(categorical)) {
        require(codes_.shape(0) > 0 && codes_.shape(1) > 0, "codes must have a feature and a row");
        require(bins_.size() == codes_.shape(0) && missing_.size() == codes_.shape(0) &&
                    categorical_.size() == codes_.shape(0),
                "codes, bins, missing and categorical differ in their features");
        require(codes_.shape(1) <= std::numeric_limits<std::uint32_t>::max(), "too many rows");
        for (std::size_t f = 0; f < codes_.shape(0); ++f) {
            require(bins_.data()[f] > 0, "every feature needs a bin");
            require(!categorical_.data()[f] || static_cast<std::size_t>(bins_.data()[f]) <= most_categories,
                    "a feature has too many categories");
            const std::int64_t top = bins_.data()[f] - (missing_.data()[f] ? 0 : 1);
            const Code* code = codes_.data() + f * codes_.shape(1);
            for (std::size_t i = 0; i < codes_.shape(1); ++i)
                require(static_cast<std::int64_t>(code[i]) >= 0 && static_cast<std::int64_t>(code[i]) <= top,
                        "a code is outside its feature's bins");
        }
    }

    auto stumps(const Vector<double>& u, int threads) const { return run(best_stumps<Code>, u, threads); }
    auto roots(const Vector<double>& u, int threads) const { return run(best_roots<Code>, u, threads); }

    // roots, feature, last_bin, missing_left, left, right, value, subset: as `votes` takes them.
    auto trees(const Vector<double>& u, std::size_t columns, int threads) const {
        check(u);
        require(columns > 0, "columns must be positive");
        Nodes nodes;
        {
            nb::gil_scoped_release release;
            nodes = best_trees<Code>(data(), u.data(), columns, threads);
        }
        return std::make_tuple(to_numpy(std::move(nodes.roots)), to_numpy(std::move(nodes.feature)),
                               to_numpy(std::move(nodes.last_bin)), to_numpy(std::move(nodes.missing_left)),
                               to_numpy(std::move(nodes.left)), to_numpy(std::move(nodes.right)),
                               to_numpy(std::move(nodes.value)), sets_to_numpy(std::move(nodes.subset)));
    }

    // What trees say of the training rows: one row of the result a tree.
    nb::ndarray<nb::numpy, std::int8_t, nb::ndim<2>> votes(
        const Vector<std::int64_t>& roots, const Vector<std::int32_t>& feature, const Vector<std::int32_t>& last_bin,
        const Vector<std::uint8_t>& missing_left, const Vector<std::int32_t>& left, const Vector<std::int32_t>& right,
        const Vector<std::int8_t>& value, const Sets& subset, int threads) const {
        const BinnedForest forest = checked(roots, feature, last_bin, missing_left, left, right, value, subset);
        const std::size_t rows = codes_.shape(1);
        auto* kept = new std::vector<std::int8_t>(roots.size() * rows);
        nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<std::int8_t>*>(p); });
        {
            nb::gil_scoped_release release;
            binned_votes(data(), forest, kept->data(), threads);
        }
        return {kept->data(), {roots.size(), rows}, owner};
    }

    // The sum of u over the rows that reach each leaf, one entry a node; 0 elsewhere.
    Owned<double> sums(const Vector<std::int64_t>& roots, const Vector<std::int32_t>& feature,
                       const Vector<std::int32_t>& last_bin, const Vector<std::uint8_t>& missing_left,
                       const Vector<std::int32_t>& left, const Vector<std::int32_t>& right,
                       const Vector<std::int8_t>& value, const Sets& subset, const Vector<double>& u,
                       int threads) const {
        check(u);
        const BinnedForest forest = checked(roots, feature, last_bin, missing_left, left, right, value, subset);
        std::vector<double> found(feature.size(), 0.0);
        {
            nb::gil_scoped_release release;
            leaf_sums(data(), forest, u.data(), found.data(), threads);
        }
        return to_numpy(std::move(found));
    }

  private:
    Features<Code> data() const {
        return {codes_.data(), codes_.shape(0), codes_.shape(1), bins_.data(), missing_.data(), categorical_.data()};
    }

    BinnedForest checked(const Vector<std::int64_t>& roots, const Vector<std::int32_t>& feature,
                         const Vector<std::int32_t>& last_bin, const Vector<std::uint8_t>& missing_left,
                         const Vector<std::int32_t>& left, const Vector<std::int32_t>& right,
                         const Vector<std::int8_t>& value, const Sets& subset) const {
        require(last_bin.size() == feature.size(), "node arrays differ in length");
        check_nodes(roots, feature, missing_left, left, right, value, codes_.shape(0));
        for (std::size_t node = 0; node < feature.size(); ++node) {
            const std::int32_t f = feature.data()[node];
            if (f < 0) continue;
            require(last_bin.data()[node] >= 0 && last_bin.data()[node] < bins_.data()[f],
                    "a split is outside its feature's bins");
            require(!categorical_.data()[f] || subset.shape(0) == feature.size(),
                    "a split of a categorical feature needs a set of categories");
        }
        return {roots.data(), roots.size(), feature.data(), last_bin.data(), missing_left.data(),
                left.data(), right.data(), value.data(), subset.data()};
    }

    void check(const Vector<double>& u) const {
        require(u.size() == codes_.shape(1), "u and codes differ in their rows");
        bool finite = true;
        for (std::size_t i = 0; i < u.size(); ++i) finite &= std::fabs(u.data()[i]) <= largest;
        require(finite, "u must be finite");
    }

    std::tuple<Owned<double>, Owned<std::int32_t>, Owned<std::uint8_t>, OwnedSets> run(
        Splits (*search)(const Features<Code>&, const double*, int), const Vector<double>& u, int threads) const {
        check(u);
        Splits best(0);
        {
            nb::gil_scoped_release release;
            best = search(data(), u.data(), threads);
        }
        return {to_numpy(std::move(best.value)), to_numpy(std::move(best.bin)),
                to_numpy(std::move(best.missing_left)), sets_to_numpy(std::move(best.subset))};
    }
};

// Arrays are taken as they are: a conversion would copy them, or round them, in silence.
auto array(const char* name) { return nb::arg(name).noconvert(); }

template <class Code>
void bind_search(nb::module_& module, const char* name) {
    using namespace nb::literals;
    nb::class_<TreeSearch<Code>>(module, name)
        .def(nb::init<Matrix<Code>, Vector<std::int32_t>, Vector<std::uint8_t>, Vector<std::uint8_t>>(), array("codes"),
             array("bins"), array("missing"), array("categorical"))
        .def("stumps", &TreeSearch<Code>::stumps, array("u"), "threads"_a)
        .def("roots", &TreeSearch<Code>::roots, array("u"), "threads"_a)
        .def("trees", &TreeSearch<Code>::trees, array("u"), "columns"_a, "threads"_a)
        .def("votes", &TreeSearch<Code>::votes, array("roots"), array("feature"), array("last_bin"),
             array("missing_left"), array("left"), array("right"), array("value"), array("subset"), "threads"_a)
        .def("sums", &TreeSearch<Code>::sums, array("roots"), array("feature"), array("last_bin"),
             array("missing_left"), array("left"), array("right"), array("value"), array("subset"), array("u"),
             "threads"_a);
}

}  // namespace

NB_MODULE(_kernels, module) {
    using namespace nb::literals;
    module.def("bin_uint8", &bin_column<std::uint8_t>, array("x"), array("thresholds"));
    module.def("bin_int32", &bin_column<std::int32_t>, array("x"), array("thresholds"));
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
    module.def("maximise_quadratic", &quadratic, array("H"), array("c"), array("start"), "simplex"_a,
               "batch"_a = 1);
    module.def("vote", &forest_vote, array("roots"), array("feature"), array("threshold"), array("missing_left"),
               array("left"), array("right"), array("value"), array("subset"), array("weights"), array("X"),
               "threads"_a);
    bind_search<std::uint8_t>(module, "TreeSearchUint8");
    bind_search<std::int32_t>(module, "TreeSearchInt32");
}
