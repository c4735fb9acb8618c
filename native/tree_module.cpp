// The Python functions of binning, prediction and steps of leaves. They check every array, and release the GIL while
// the kernels run. Reference: np.searchsorted for bins, walks for votes, in tests/test_native.py.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "arrays.hpp"
#include "leaf_steps.hpp"

namespace frankboost {

nb::handle node_dtype() {
    static const nb::handle dtype = [] {  // never freed, as the interpreter ends before statics are destroyed
        nb::list fields;
        for (const auto& [name, format] :
             std::initializer_list<std::pair<const char*, const char*>>{{"threshold", "f8"},
                                                                        {"value", "f8"},
                                                                        {"feature", "i4"},
                                                                        {"last_bin", "i4"},
                                                                        {"left", "i4"},
                                                                        {"right", "i4"},
                                                                        {"set_index", "i4"},
                                                                        {"missing_left", "u1"},
                                                                        {"unused", "3u1"}})
            fields.append(nb::make_tuple(name, format));
        return nb::module_::import_("numpy").attr("dtype")(fields, nb::arg("align") = true).release();
    }();
    return dtype;
}

Records to_records(std::vector<Node>&& nodes) {
    const std::size_t bytes = nodes.size() * sizeof(Node);
    const nb::object array = nb::cast(to_numpy<Owned<std::uint8_t>>(std::move(nodes), {bytes}));
    return nb::steal<Records>(nb::object(array.attr("view")(node_dtype())).release());
}

std::pair<const Node*, std::size_t> nodes_of(const Records& records) {
    Vector<std::uint8_t> bytes;
    if (!records.attr("dtype").equal(node_dtype()) || !nb::cast<bool>(records.attr("flags").attr("c_contiguous")) ||
        !nb::try_cast(records.attr("view")("u1"), bytes, false))
        throw nb::type_error("nodes must be node records, one after the other");
    return {reinterpret_cast<const Node*>(bytes.data()), bytes.size() / sizeof(Node)};
}

TreesView view_of(const Records& records, const Vector<std::int64_t>& roots, const Sets& sets, std::size_t features) {
    const auto [nodes, count] = nodes_of(records);
    const auto size = static_cast<std::int64_t>(count);
    for (std::size_t t = 0; t < roots.size(); ++t) {
        const auto begin = roots.data()[t], end = t + 1 < roots.size() ? roots.data()[t + 1] : size;
        require(begin >= 0 && begin < end && end <= size, "trees must follow one another in the node array");
        for (auto k = begin; k < end; ++k) {
            if (nodes[k].feature < 0) continue;
            require(static_cast<std::size_t>(nodes[k].feature) < features, "a node asks for a feature X lacks");
            require(nodes[k].set_index < static_cast<std::int64_t>(sets.shape(0)),
                    "a node asks for a set that is not there");
            require(nodes[k].set_index >= 0 || !std::isnan(nodes[k].threshold),
                    "a split without a threshold needs a set of categories");
            // Children follow their parent inside the tree, so that every walk ends.
            for (auto child : {nodes[k].left, nodes[k].right})
                require(child > k - begin && child < end - begin, "a node's children must follow it in its tree");
        }
    }
    const auto* categories = reinterpret_cast<const CategorySet*>(sets.data());
    return {nodes, count, roots.data(), roots.size(), categories};
}

namespace {

// code[i] = number of thresholds below x[i]; `missing` where x[i] is NaN.
template <class Code>
void bin_values(const double* x, std::size_t rows, const double* thresholds, std::size_t count, Code missing,
                Code* codes) {
    for (std::size_t i = 0; i < rows; ++i) {
        std::size_t first = 0;
        for (std::size_t size = count; size > 0;) {
            const std::size_t half = size / 2;
            const bool above = thresholds[first + half] < x[i];
            first = above ? first + half + 1 : first;
            size = above ? size - half - 1 : half;
        }
        codes[i] = std::isnan(x[i]) ? missing : static_cast<Code>(first);
    }
}

template <class Code>
Owned<Code> bin_column(const Vector<double>& x, const Vector<double>& thresholds) {
    for (std::size_t i = 1; i < thresholds.size(); ++i)
        require(thresholds.data()[i - 1] < thresholds.data()[i], "thresholds must increase");
    const auto most = static_cast<std::size_t>(std::numeric_limits<Code>::max());
    require(thresholds.size() <= most, "too many thresholds for the code");
    const auto missing = std::min(thresholds.size() + 1, most);
    if (thresholds.size() == most)
        for (std::size_t i = 0; i < x.size(); ++i)
            require(!std::isnan(x.data()[i]), "no code left for a missing value");
    return filled_array<Code>(x.size(), [&](Code* codes) {
        bin_values(x.data(), x.size(), thresholds.data(), thresholds.size(), static_cast<Code>(missing), codes);
    });
}

Owned<double> weighted_vote(const Records& nodes, const Vector<std::int64_t>& roots, const Sets& sets,
                            const Vector<double>& weights, const Matrix<double>& X, int threads) {
    const TreesView forest = view_of(nodes, roots, sets, X.shape(1));
    require(weights.size() == roots.size(), "weights and trees differ in number");
    return filled_array<double>(X.shape(0), [&](double* votes) {
        vote(forest, weights.data(), X.data(), X.shape(0), X.shape(1), votes, threads);
    });
}

LeafSteps leaf_steps_of(const Records& nodes, const Vector<std::int64_t>& roots, const Sets& sets, std::size_t features,
                        const Vector<double>& weight, double start, double rate, double held, std::size_t together) {
    const TreesView forest = view_of(nodes, roots, sets, features);
    require(all_of(weight, is_finite), "weights must be finite");
    require(is_finite(start) && is_finite(rate) && held > 0.0 && together > 0, "no such rule for leaves");
    std::vector<double> kept(weight.data(), weight.data() + weight.size());
    return without_gil(
        [&] { return LeafSteps(forest, sets.shape(0), features, std::move(kept), start, {rate, held, together}); });
}

void place_rows(LeafSteps& steps, const Matrix<double>& X, int threads) {
    require(X.shape(1) == steps.features(), "rows have other columns than the trees");
    require(X.shape(0) <= steps.rows() - steps.placed(), "more rows than weights");
    without_gil([&] { steps.place(X.data(), X.shape(0), threads); });
}

Owned<double> values_after(LeafSteps& steps, std::size_t passes) {
    require(steps.placed() == steps.rows(), "not all rows are placed in leaves");
    return to_numpy(without_gil([&] {
        for (std::size_t k = 0; k < passes; ++k) steps.pass();
        return std::vector<double>(steps.values());
    }));
}

}  // namespace

void bind_trees(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<LeafSteps>(module, "LeafSteps")
        .def(nb::new_(&leaf_steps_of), array_arg("nodes"), array_arg("roots"), array_arg("sets"), "features"_a,
             array_arg("weight"), "start"_a, "rate"_a, "held"_a, "together"_a)
        .def("place", &place_rows, array_arg("X"), "threads"_a)
        .def("values_after", &values_after, "passes"_a);
    module.attr("MOST_CATEGORIES") = most_categories;
    module.attr("MOST_FREE") = most_free;
    module.attr("MOST_THRESHOLDS") = most_thresholds;
    module.def("node_dtype", &node_dtype, nb::sig("def node_dtype() -> numpy.dtype[numpy.void]"));
    module.def("bin_uint8", &bin_column<std::uint8_t>, array_arg("x"), array_arg("thresholds"));
    module.def("bin_int32", &bin_column<std::int32_t>, array_arg("x"), array_arg("thresholds"));
    module.def("vote", &weighted_vote, array_arg("nodes"), array_arg("roots"), array_arg("sets"), array_arg("weights"),
               array_arg("X"), "threads"_a);
}

}  // namespace frankboost
