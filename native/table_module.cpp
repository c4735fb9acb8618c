// The Python functions of the search for trees over rows in parts: tables of a part's rows, and the search of their
// sums (table_survey.hpp). They check every array, and release the GIL while the kernels run.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <memory>

#include "table_survey.hpp"
#include "tree_search.hpp"

namespace frankboost {

TableSurvey survey_of(const TreeSearch& search) {
    const Features& data = search.data();
    require(*std::max_element(data.bins, data.bins + data.features) <= static_cast<std::int32_t>(most_bins),
            "a feature has too many bins for a table");
    return TableSurvey(Layout(data));
}

namespace {

std::unique_ptr<Rows> weighted(const TreeSearch& search, const Vector<double>& u) {
    search.check(u);
    return without_gil([&] { return std::make_unique<Rows>(search.data(), u.data()); });
}

std::tuple<Owned<double>, Owned<double>> sums_by_bin(const TreeSearch& search, const Rows& rows, int threads) {
    search.check(rows.layout);
    FeatureSums all = without_gil([&] { return feature_sums(rows, threads); });
    return {to_numpy(std::move(all.sums)), to_numpy(std::move(all.masses))};
}

Owned<double> tables_of(const TreeSearch& search, const Rows& rows, std::size_t begin, std::size_t end, int threads) {
    search.check(rows.layout);
    require(begin <= end && end <= survey_of(search).pairs(), "there are not so many pairs");
    return to_numpy(without_gil([&] { return pair_tables(rows, begin, end, threads); }));
}

void add_tables(const TreeSearch& search, const Rows& rows, std::size_t begin, std::size_t end,
                const MutableVector& tables, int threads) {
    search.check(rows.layout);
    const TableSurvey survey = survey_of(search);
    require(begin <= end && end <= survey.pairs(), "there are not so many pairs");
    require(tables.size() == survey.pair_cells(begin, end), "tables are of other pairs");
    without_gil([&] { add_pair_tables(rows, begin, end, tables.data(), threads); });
}

Split split_from(const TreeSearch& search, const Node& node, const Sets& sets) {
    search.check_set(node);
    Split split{node, {}};
    if (node.set_index < 0) return split;
    require(static_cast<std::size_t>(node.set_index) < sets.shape(0), "a node asks for a set that is not there");
    split.set = reinterpret_cast<const CategorySet*>(sets.data())[node.set_index];
    split.node.set_index = 0;
    return split;
}

std::vector<TableRoot> roots_from(const TreeSearch& search, const Records& nodes, const Sets& sets,
                                  const Vector<std::int32_t>& children) {
    const auto [splits, count] = nodes_of(nodes);
    require(children.size() == 2 * count, "every root needs the features of two children");
    const auto is_feature = [&](std::int32_t f) {
        return f >= 0 && static_cast<std::size_t>(f) < search.data().features;
    };
    require(all_of(children, is_feature), "a child is of no feature");
    std::vector<TableRoot> roots;
    for (std::size_t k = 0; k < count; ++k) {
        require(is_feature(splits[k].feature), "a root is of no feature");
        const auto child = [&](std::size_t side) { return static_cast<std::size_t>(children.data()[2 * k + side]); };
        roots.push_back({split_from(search, splits[k], sets), {child(0), child(1)}});
    }
    return roots;
}

Owned<double> sides(const TreeSearch& search, const Rows& rows, const Records& nodes, const Sets& sets,
                    const Vector<std::int32_t>& children, int threads) {
    search.check(rows.layout);
    const std::vector<TableRoot> roots = roots_from(search, nodes, sets, children);
    return to_numpy(without_gil([&] { return side_sums(rows, roots, threads); }));
}

Forest stumps_of(const TreeSearch& search, const Vector<double>& sums, const Vector<double>& masses,
                 std::size_t columns) {
    const Layout layout(search.data());
    std::size_t cells = 0;
    for (std::size_t f = 0; f < layout.features(); ++f) cells += layout[f].bins + 1;
    require(sums.size() == cells && masses.size() == cells, "sums are of other features");
    require(columns > 0, "columns must be positive");
    return search.to_python(stump_trees(layout, sums.data(), masses.data(), columns));
}

bool wants_rows(const TreeSearch& search, std::size_t rows) { return worth_fixing(Layout(search.data()), rows); }

std::tuple<Records, OwnedSets, Owned<std::int32_t>> survey_roots(const TreeSearch& search, TableSurvey& survey,
                                                                 std::size_t columns) {
    std::vector<Node> nodes;
    std::vector<CategorySet> sets;
    std::vector<std::int32_t> children;
    for (const auto& [split, g] : survey.choose_roots(columns)) {
        nodes.push_back(node_of(split, sets));
        for (const std::size_t each : g) children.push_back(static_cast<std::int32_t>(each));
    }
    return {search.to_python(std::move(nodes)), to_sets(std::move(sets)), to_numpy(std::move(children))};
}

Forest survey_trees(const TreeSearch& search, const TableSurvey& survey, const Vector<double>& sides) {
    require(sides.size() == survey.side_cells(), "sides are of other roots");
    return search.to_python(survey.trees(sides.data()));
}

void take_features(TableSurvey& survey, const Vector<double>& sums, const Vector<double>& masses) {
    require(sums.size() == survey.feature_cells() && masses.size() == sums.size(), "sums are of other features");
    survey.take_features(sums.data(), masses.data());
}

void take_pairs(TableSurvey& survey, std::size_t begin, std::size_t end, const Vector<double>& tables, int threads) {
    require(begin <= end && end <= survey.pairs() && tables.size() == survey.pair_cells(begin, end),
            "tables are of other pairs");
    without_gil([&] { survey.take_pairs(begin, end, tables.data(), threads); });
}

// What the best children of every root split pay, and their features: left ones first, then right ones, then those in
// order.
std::tuple<Owned<double>, Owned<std::int32_t>> children_of(const TableSurvey& survey) {
    std::vector<double> values;
    std::vector<std::int32_t> features;
    const Children& found = survey.children();
    for (const auto* side : {&found.left, &found.right, &found.both})
        for (const Child& child : *side) {
            values.push_back(child.value);
            features.push_back(child.feature);
        }
    return {to_numpy(std::move(values)), to_numpy(std::move(features))};
}

void take_children(TableSurvey& survey, const Vector<double>& values, const Vector<std::int32_t>& features) {
    const bool with_both = values.size() == 3 * survey.roots() && !survey.children().both.empty();
    require((with_both || values.size() == 2 * survey.roots()) && features.size() == values.size(),
            "children are of other features");
    const auto known = [&](std::int32_t f) {
        return f == Child{}.feature || (f >= 0 && static_cast<std::size_t>(f) < survey.features());
    };
    require(all_of(features, known), "children on unknown features");
    survey.take_children(values.data(), features.data(), with_both);
}

}  // namespace

void bind_tables(nb::module_& module, nb::class_<TreeSearch>& search) {
    using namespace nb::literals;
    nb::class_<Rows>(module, "WeightedRows");  // the rows with weight, which all questions about a distribution share
    nb::class_<TableSurvey>(module, "TableSurvey")
        .def_prop_ro("pairs", &TableSurvey::pairs)
        .def("pair_cells", &TableSurvey::pair_cells, "begin"_a, "end"_a)
        .def("pair_features", [](const TableSurvey& survey) { return to_numpy(survey.pair_features()); })
        .def("take_features", &take_features, array_arg("sums"), array_arg("masses"))
        .def("take_pairs", &take_pairs, "begin"_a, "end"_a, array_arg("tables"), "threads"_a)
        .def("root_starts", [](const TableSurvey& survey) { return to_numpy(survey.root_starts()); })
        .def_prop_ro("roots", &TableSurvey::roots)
        .def("children", &children_of)
        .def("take_children", &take_children, array_arg("values"), array_arg("features"));
    search.def("weighted", &weighted, array_arg("u"), nb::keep_alive<0, 1>())
        .def("sum_stumps", &stumps_of, array_arg("sums"), array_arg("masses"), "columns"_a)
        .def("feature_sums", &sums_by_bin, "rows"_a, "threads"_a)
        .def("pair_tables", &tables_of, "rows"_a, "begin"_a, "end"_a, "threads"_a)
        .def("add_pair_tables", &add_tables, "rows"_a, "begin"_a, "end"_a, array_arg("tables"), "threads"_a)
        .def("side_sums", &sides, "rows"_a, array_arg("nodes"), array_arg("sets"), array_arg("children"), "threads"_a)
        .def("wants_rows", &wants_rows, "rows"_a)
        .def("survey", &survey_of)
        .def("survey_roots", &survey_roots, "survey"_a, "columns"_a)
        .def("survey_trees", &survey_trees, "survey"_a, array_arg("sides"));
}

}  // namespace frankboost
