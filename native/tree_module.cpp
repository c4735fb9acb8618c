// Binning and prediction at the Python boundary.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "arrays.hpp"
#include "kernels.hpp"

namespace frankboost {

nb::handle node_dtype() {
    static const nb::handle dtype = [] {  // never freed: the interpreter is gone before statics are
        nb::list names, formats, offsets;
        const auto field = [&](const char* name, const char* format, std::size_t offset) {
            names.append(name);
            formats.append(format);
            offsets.append(offset);
        };
        field("threshold", "f8", offsetof(Node, threshold));
        field("value", "f8", offsetof(Node, value));
        field("feature", "i4", offsetof(Node, feature));
        field("last_bin", "i4", offsetof(Node, last_bin));
        field("left", "i4", offsetof(Node, left));
        field("right", "i4", offsetof(Node, right));
        field("set_index", "i4", offsetof(Node, set_index));
        field("missing_left", "u1", offsetof(Node, missing_left));
        nb::dict record;
        record["names"] = names;
        record["formats"] = formats;
        record["offsets"] = offsets;
        record["itemsize"] = sizeof(Node);
        return nb::module_::import_("numpy").attr("dtype")(record, nb::arg("align") = true).release();
    }();
    return dtype;
}

Records to_records(std::vector<Node>&& nodes) {
    auto* kept = new std::vector<Node>(std::move(nodes));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Node>*>(p); });
    const Owned<std::uint8_t> bytes(reinterpret_cast<std::uint8_t*>(kept->data()), {kept->size() * sizeof(Node)},
                                    owner);
    return nb::steal<Records>(nb::object(nb::cast(bytes).attr("view")(node_dtype())).release());
}

NodeArray::NodeArray(const Records& array) {
    if (!array.attr("dtype").equal(node_dtype()) || !nb::cast<bool>(array.attr("flags").attr("c_contiguous")) ||
        !nb::try_cast(array.attr("view")("u1"), bytes_, false))
        throw nb::type_error("nodes must be node records, one after the other");
}

TreesView view_of(const NodeArray& nodes, const Vector<std::int64_t>& roots, const Sets& sets, std::size_t features) {
    const auto size = static_cast<std::int64_t>(nodes.size());
    for (std::size_t t = 0; t < roots.size(); ++t) {
        const auto begin = roots.data()[t], end = t + 1 < roots.size() ? roots.data()[t + 1] : size;
        require(begin >= 0 && begin < end && end <= size, "trees must follow one another in the node array");
        for (auto k = begin; k < end; ++k) {
            const Node& node = nodes.data()[k];
            if (node.feature < 0) continue;
            require(static_cast<std::size_t>(node.feature) < features, "a node asks for a feature X lacks");
            require(node.set_index < static_cast<std::int64_t>(sets.shape(0)),
                    "a node asks for a set that is not there");
            // Children after their parent and inside the tree: every walk ends.
            for (auto child : {node.left, node.right})
                require(child > k - begin && child < end - begin, "a node's children must follow it in its tree");
        }
    }
    return {nodes.data(), nodes.size(), roots.data(), roots.size(), reinterpret_cast<const CategorySet*>(sets.data())};
}

namespace {

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
    std::vector<Code> codes(x.size());
    {
        nb::gil_scoped_release release;
        bin_values<Code>(x.data(), x.size(), thresholds.data(), thresholds.size(), static_cast<Code>(missing),
                         codes.data());
    }
    return to_numpy(std::move(codes));
}

Owned<double> weighted_vote(const Records& records, const Vector<std::int64_t>& roots, const Sets& sets,
                            const Vector<double>& weights, const Matrix<double>& X, int threads) {
    const NodeArray nodes(records);
    const TreesView forest = view_of(nodes, roots, sets, X.shape(1));
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        const Node& node = nodes.data()[k];
        require(node.feature < 0 || node.set_index >= 0 || !std::isnan(node.threshold),
                "a split without a threshold needs a set of categories");
    }
    require(weights.size() == roots.size(), "weights and trees differ in number");
    std::vector<double> votes(X.shape(0));
    {
        nb::gil_scoped_release release;
        vote(forest, weights.data(), X.data(), X.shape(0), X.shape(1), votes.data(), threads);
    }
    return to_numpy(std::move(votes));
}

}  // namespace

void bind_trees(nb::module_& module) {
    using namespace nb::literals;
    module.attr("MOST_CATEGORIES") = most_categories;
    module.attr("MOST_FREE") = most_free;
    module.attr("MOST_THRESHOLDS") = most_thresholds;
    module.def("node_dtype", &node_dtype, nb::sig("def node_dtype() -> numpy.dtype[numpy.void]"));
    module.def("bin_uint8", &bin_column<std::uint8_t>, array("x"), array("thresholds"));
    module.def("bin_int32", &bin_column<std::int32_t>, array("x"), array("thresholds"));
    module.def("vote", &weighted_vote, array("nodes"), array("roots"), array("sets"), array("weights"), array("X"),
               "threads"_a);
}

}  // namespace frankboost
