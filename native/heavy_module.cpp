// The search for trees with heavy leaves at the Python boundary.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include "heavy_leaves.hpp"
#include "tree_search.hpp"

namespace frankboost {
namespace {

using Tables = std::optional<Vector<double>>;  // of pairs of features

// Keeps the arrays that the cells are in.
class GivenCells : public CellsInTables {
    const Vector<double> sums_;
    const Tables tables_;

  public:
    GivenCells(const Layout& layout_, const Vector<double>& sums, const Tables& tables)
        : CellsInTables(layout_, sums.data(), tables ? tables->data() : nullptr), sums_(sums), tables_(tables) {}
};

std::unique_ptr<Cells> cells_of(const TreeSearch& search, const Vector<double>& u) {
    search.check(u);
    return without_gil([&] { return std::make_unique<CellsOfRows>(search.data(), u.data()); });
}

std::unique_ptr<Cells> cells_in(const TreeSearch& search, const Vector<double>& sums, const Tables& tables) {
    const TableSurvey survey = survey_of(search);
    require(sums.size() == survey.feature_cells(), "sums are of other features");
    require(!tables || tables->size() == survey.pair_cells(0, survey.pairs()), "tables are of other pairs");
    return std::make_unique<GivenCells>(Layout(search.data()), sums, tables);
}

std::unique_ptr<LeafWeights> leaf_weights(const TreeSearch& search, const Cells& weights, double least) {
    search.check(weights.layout);
    return without_gil([&] { return std::make_unique<LeafWeights>(weights, least); });
}

Forest heavy_trees_of(const TreeSearch& search, const Cells& u, const LeafWeights& leaves, std::size_t depth,
                      std::size_t columns, int threads, const Ask& ask) {
    search.check(u.layout);
    search.check(leaves.weights.layout);
    require(depth == 1 || depth == 2, "depth must be 1 or 2");
    require(depth == 1 || (u.has_pairs() && leaves.weights.has_pairs()), "depth 2 needs tables of pairs");
    require(columns > 0, "columns must be positive");
    Stop stop = stop_by(ask);
    return search.to_python(without_gil([&] { return heavy_trees(leaves, u, depth, columns, threads, stop); }));
}

// Whether all leaves of some trees weigh enough.
bool has_heavy_leaves(const TreeSearch& search, const LeafWeights& leaves, const Records& nodes,
                      const Vector<std::int64_t>& roots, const Sets& sets) {
    search.check(leaves.weights.layout);
    const TreesView forest = search.checked(nodes, roots, sets);
    bool all = true;
    for (std::size_t t = 0; t < forest.trees; ++t) {
        const Node* tree = forest.nodes + roots.data()[t];
        const auto depth = [&](const auto& self, std::int32_t at) -> int {
            return tree[at].feature < 0 ? 0 : 1 + std::max(self(self, tree[at].left), self(self, tree[at].right));
        };
        require(forest.count(t) <= 7 && depth(depth, 0) <= 2, "trees must not be deeper than 2");
        all = all && leaves.allow(tree, forest.sets);
    }
    return all;
}

}  // namespace

void bind_heavy(nb::module_& module, nb::class_<TreeSearch>& search) {
    using namespace nb::literals;
    nb::class_<Cells>(module, "Cells").def_prop_ro("total", &Cells::total);
    nb::class_<LeafWeights>(module, "LeafWeights");
    search.def("cells", &cells_of, array_arg("u"), nb::keep_alive<0, 1>())
        .def("cells_in_tables", &cells_in, array_arg("sums"), array_arg("tables").none(), nb::keep_alive<0, 1>())
        .def("leaf_weights", &leaf_weights, "weights"_a, "least"_a, nb::keep_alive<0, 2>())
        .def("heavy_trees", &heavy_trees_of, "u"_a, "leaves"_a, "depth"_a, "columns"_a, "threads"_a,
             "stop"_a = nb::none())
        .def("has_heavy_leaves", &has_heavy_leaves, "leaves"_a, array_arg("nodes"), array_arg("roots"),
             array_arg("sets"));
}

}  // namespace frankboost
