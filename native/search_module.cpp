// The tree search at the Python boundary.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <variant>

#include "arrays.hpp"
#include "deep_roots.hpp"
#include "rows.hpp"
#include "table_survey.hpp"
#include "wide_search.hpp"

namespace frankboost {
namespace {

using OwnedSets = Owned<std::uint64_t, nb::shape<-1, set_words>>;
using CodeMatrix = std::variant<Matrix<std::uint8_t>, Matrix<std::int32_t>>;

OwnedSets to_sets(std::vector<CategorySet>&& sets) {
    const std::size_t count = sets.size();
    return to_numpy<OwnedSets>(std::move(sets), {count, set_words});
}

using Ask = std::optional<nb::typed<nb::callable, bool()>>;

// For a search on this thread, without the GIL: ends it by the exception of a signal's handler, or if ask() says so.
Stop stop_by(const Ask& ask) {
    return Stop([ask = ask ? nb::handle(*ask) : nb::handle()] {
        nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return ask.is_valid() && nb::cast<bool>(ask());
    });
}

// The binned training set, checked once; searched once per round.
class TreeSearch {
    using Roots = Vector<std::int64_t>;
    using Forest = std::tuple<Records, Owned<std::int64_t>, OwnedSets>;
    using Splits = std::tuple<Owned<double>, Records, OwnedSets>;

    CodeMatrix codes_;
    Vector<std::int32_t> bins_;
    Vector<std::uint8_t> missing_, categorical_;
    Vector<double> thresholds_;
    std::vector<std::size_t> first_;  // threshold of each feature
    Features data_;                   // what the kernels see of them

    template <class Code>
    void check_feature(std::size_t f, const Code* code) const {
        const std::int64_t bins = data_.bins[f], top = bins - (data_.missing[f] ? 0 : 1);
        require(bins > 0, "every feature needs a bin");
        require(!data_.categorical[f] || static_cast<std::size_t>(bins) <= most_categories,
                "a feature has too many categories");
        for (std::size_t i = 0; i < data_.rows; ++i)
            require(static_cast<std::int64_t>(code[i]) >= 0 && static_cast<std::int64_t>(code[i]) <= top,
                    "a code is outside its feature's bins");
    }

    void check_bins() const {
        require(*std::max_element(data_.bins, data_.bins + data_.features) <= static_cast<std::int32_t>(most_bins),
                "a feature has too many bins for a table");
    }

    std::vector<TableRoot> roots_from(const Records& nodes, const Sets& sets,
                                      const Vector<std::int32_t>& children) const {
        const auto [splits, count] = nodes_of(nodes);
        require(children.size() == 2 * count, "every root needs the features of two children");
        std::vector<TableRoot> roots;
        for (std::size_t k = 0; k < count; ++k) {
            const Node& node = splits[k];
            const auto in = [&](std::int32_t f) { return f >= 0 && static_cast<std::size_t>(f) < data_.features; };
            require(in(node.feature) && in(children.data()[2 * k]) && in(children.data()[2 * k + 1]),
                    "a root or a child is of no feature");
            require((data_.categorical[node.feature] != 0) == (node.set_index >= 0) &&
                        node.set_index < static_cast<std::int32_t>(sets.shape(0)),
                    "a split of a categorical feature, and no other, needs a set of categories");
            Split split{node, {}};
            if (node.set_index >= 0) {
                split.node.set_index = 0;
                std::copy_n(sets.data() + set_words * static_cast<std::size_t>(node.set_index), set_words,
                            split.set.word.begin());
            }
            roots.push_back({split,
                             {static_cast<std::size_t>(children.data()[2 * k]),
                              static_cast<std::size_t>(children.data()[2 * k + 1])}});
        }
        return roots;
    }

    void check(const Vector<double>& u) const {
        require(u.size() == data_.rows, "u and codes differ in their rows");
        require(all_of(u, is_finite), "u must be finite");
    }

    void check(const Rows& rows) const {
        bool same = rows.features() == data_.features;
        for (std::size_t f = 0; same && f < data_.features; ++f)
            same = rows.layout[f].bins == static_cast<std::size_t>(data_.bins[f]);
        require(same, "rows are of other features");
    }

    TreesView checked(const Records& nodes, const Roots& roots, const Sets& sets) const {
        const TreesView forest = view_of(nodes, roots, sets, data_.features);
        for (const Node& node : forest) {
            if (node.feature < 0) continue;
            require((data_.categorical[node.feature] != 0) == (node.set_index >= 0),
                    "a split of a categorical feature, and no other, needs a set of categories");
            if (node.set_index >= 0) continue;
            require(node.last_bin >= 0 && node.last_bin + 1 < data_.bins[node.feature],
                    "a split is outside its feature's bins");
            require(node.threshold == threshold_of(node), "a split's bin is not that of its threshold");
        }
        return forest;
    }

    double threshold_of(const Node& node) const {
        return thresholds_.data()[first_[static_cast<std::size_t>(node.feature)] + node.last_bin];
    }

    Records to_python(std::vector<Node>&& nodes) const {
        for (Node& node : nodes)
            if (node.feature >= 0 && node.set_index < 0) node.threshold = threshold_of(node);
        return to_records(std::move(nodes));
    }

    // What the best split of each feature pays, and its record: a leaf's if there is none.
    Splits to_python(const std::vector<BestSplit>& best) const {
        std::vector<double> values;
        std::vector<Node> nodes;
        std::vector<CategorySet> sets;
        for (const auto& [split, value] : best) {
            values.push_back(value);
            nodes.push_back(node_of(split, sets));
        }
        return {to_numpy(std::move(values)), to_python(std::move(nodes)), to_sets(std::move(sets))};
    }

    Forest to_python(Trees&& found) const {
        return {to_python(std::move(found.nodes)), to_numpy(std::move(found.roots)), to_sets(std::move(found.sets))};
    }

  public:
    TreeSearch(CodeMatrix codes, Vector<std::int32_t> bins, Vector<std::uint8_t> missing,
               Vector<std::uint8_t> categorical, Vector<double> thresholds)
        : codes_(std::move(codes)), bins_(std::move(bins)), missing_(std::move(missing)),
          categorical_(std::move(categorical)), thresholds_(std::move(thresholds)) {
        std::visit(
            [&](const auto& matrix) {
                data_ = {matrix.data(), matrix.shape(0), matrix.shape(1),
                         bins_.data(),  missing_.data(), categorical_.data()};
            },
            codes_);
        const std::size_t n = data_.features;
        require(n > 0 && data_.rows > 0, "codes must have a feature and a row");
        require(bins_.size() == n && missing_.size() == n && categorical_.size() == n,
                "codes, bins, missing and categorical differ in their features");
        require(data_.rows <= std::numeric_limits<std::uint32_t>::max(), "too many rows");
        std::size_t count = 0;
        for (std::size_t f = 0; f < n; ++f) {
            std::visit([&](const auto* all) { check_feature(f, all + f * data_.rows); }, data_.codes);
            first_.push_back(count);
            if (!data_.categorical[f]) count += static_cast<std::size_t>(data_.bins[f] - 1);
        }
        require(thresholds_.size() == count, "thresholds must be one less than the bins of each feature of numbers");
    }

    // The halves of the search for rows that lie apart, see table_survey.hpp.
    std::unique_ptr<Rows> weighted(const Vector<double>& u) const {
        check(u);
        return unlocked([&] { return std::make_unique<Rows>(data_, u.data()); });
    }

    std::tuple<Owned<double>, Owned<double>> sums_by_bin(const Rows& rows, int threads) const {
        check(rows);
        FeatureSums all = unlocked([&] { return feature_sums(rows, threads); });
        return {to_numpy(std::move(all.sums)), to_numpy(std::move(all.masses))};
    }

    Owned<double> tables(const Rows& rows, std::size_t begin, std::size_t end, int threads) const {
        check(rows);
        check_bins();
        require(begin <= end && end <= TableSurvey(data_).pairs(), "there are not so many pairs");
        return to_numpy(unlocked([&] { return pair_tables(rows, begin, end, threads); }));
    }

    void add_tables(const Rows& rows, std::size_t begin, std::size_t end, const Changed& tables, int threads) const {
        check(rows);
        const TableSurvey survey = this->survey();
        require(begin <= end && end <= survey.pairs(), "there are not so many pairs");
        require(tables.size() == survey.pair_cells(begin, end), "tables are of other pairs");
        unlocked([&] { add_pair_tables(rows, begin, end, tables.data(), threads); });
    }

    Owned<double> sides(const Rows& rows, const Records& nodes, const Sets& sets, const Vector<std::int32_t>& children,
                        int threads) const {
        check(rows);
        const std::vector<TableRoot> roots = roots_from(nodes, sets, children);
        return to_numpy(unlocked([&] { return side_sums(rows, roots, threads); }));
    }

    Forest stumps_of(const Vector<double>& sums, const Vector<double>& masses, std::size_t columns) const {
        const Layout layout(data_);
        std::size_t cells = 0;
        for (std::size_t f = 0; f < layout.features(); ++f) cells += layout[f].bins + 1;
        require(sums.size() == cells && masses.size() == cells, "sums are of other features");
        require(columns > 0, "columns must be positive");
        return to_python(frankboost::stump_trees(layout, sums.data(), masses.data(), columns));
    }

    bool wants_rows(std::size_t rows) const { return worth_fixing(Layout(data_), rows); }

    TableSurvey survey() const {
        check_bins();
        return TableSurvey(data_);
    }

    std::tuple<Records, OwnedSets, Owned<std::int32_t>> survey_roots(TableSurvey& survey, std::size_t columns) const {
        std::vector<Node> nodes;
        std::vector<CategorySet> sets;
        std::vector<std::int32_t> children;
        for (const auto& [split, g] : survey.best_roots(columns)) {
            nodes.push_back(node_of(split, sets));
            for (const std::size_t each : g) children.push_back(static_cast<std::int32_t>(each));
        }
        return {to_python(std::move(nodes)), to_sets(std::move(sets)), to_numpy(std::move(children))};
    }

    Forest survey_trees(const TableSurvey& survey, const Vector<double>& sides) const {
        require(sides.size() == survey.side_cells(), "sides are of other roots");
        return to_python(survey.trees(sides.data()));
    }

    template <auto Kernel>
    Forest trees(const Vector<double>& u, std::size_t columns, int threads, const Ask& ask) const {
        check(u);
        require(columns > 0, "columns must be positive");
        Stop stop = stop_by(ask);
        return to_python(unlocked([&] { return Kernel(data_, u.data(), columns, threads, stop); }));
    }

    Forest deep_trees(const Vector<double>& u, std::size_t depth, std::size_t columns, int threads,
                      const Ask& ask) const {
        check(u);
        require(depth > 2, "depth must be at least 3");
        require(columns > 0, "columns must be positive");
        Stop stop = stop_by(ask);
        return to_python(
            unlocked([&] { return frankboost::deep_trees(data_, u.data(), depth, columns, threads, stop); }));
    }

    // The best roots of depth-3 trees, a bound on what any pays, and `carried`, a bound for each root, lowered.
    std::tuple<Owned<double>, Records, OwnedSets, double, Owned<double>> deep_roots(
        const Vector<double>& u, const Vector<double>& carried, double edge, double known, double bound, double close,
        double kappa, double stretch, int threads, const Ask& ask) const {
        check(u);
        require(carried.size() == count_roots(), "carried must have a bound for each root");
        require(kappa >= 0.0 && stretch >= 1.0, "kappa must not be negative, nor stretch below 1");
        std::vector<double> bounds(carried.data(), carried.data() + carried.size());
        const Wanted wanted{edge, known, bound, close, kappa, stretch};
        Stop stop = stop_by(ask);
        const DeepRoots found =
            unlocked([&] { return best_deep_roots(data_, u.data(), wanted, bounds.data(), threads, stop); });
        auto [values, nodes, sets] = to_python(found.best);
        return {values, nodes, sets, found.bound, to_numpy(std::move(bounds))};
    }

    // Trees, and a bound on what any pays.
    std::tuple<Records, Owned<std::int64_t>, OwnedSets, double> wide_trees(
        const Vector<double>& u, const Vector<std::int64_t>& hints, double known, double bound, double close,
        double kappa, double stretch, std::size_t columns, int threads, const Ask& ask) const {
        check(u);
        require(columns > 0, "columns must be positive");
        require(kappa >= 0.0 && stretch >= 1.0, "kappa must not be negative, nor stretch below 1");
        const auto is_feature = [&](std::int64_t f) { return f >= 0 && f < static_cast<std::int64_t>(data_.features); };
        require(all_of(hints, is_feature), "hints must be features");
        require(!all_of(u, [](double x) { return x == 0.0; }), "u must not be all zero");
        const std::vector<std::size_t> features(hints.data(), hints.data() + hints.size());
        const Wanted wanted{0.0, known, bound, close, kappa, stretch};
        Stop stop = stop_by(ask);
        WideTrees found =
            unlocked([&] { return frankboost::wide_trees(data_, u.data(), wanted, features, columns, threads, stop); });
        auto [nodes, roots, sets] = to_python(std::move(found.trees));
        return {nodes, roots, sets, found.bound};
    }

    std::size_t count_roots() const { return Layout(data_).size(); }

    // What trees with leaves -1 and +1 say of the training rows: one row per tree.
    Owned<std::int8_t, nb::ndim<2>> votes(const Records& nodes, const Roots& roots, const Sets& sets,
                                          int threads) const {
        const TreesView forest = checked(nodes, roots, sets);
        for (const Node& node : forest)
            require(node.feature >= 0 || std::fabs(node.value) == 1.0, "leaves must vote -1 or +1");
        std::vector<std::int8_t> votes(forest.trees * data_.rows);
        unlocked([&] { training_votes(data_, forest, votes.data(), threads); });
        return to_numpy<Owned<std::int8_t, nb::ndim<2>>>(std::move(votes), {forest.trees, data_.rows});
    }

    // The sum of u over the rows that reach each leaf, one entry per node; 0 elsewhere.
    Owned<double> sums(const Records& nodes, const Roots& roots, const Sets& sets, const Vector<double>& u,
                       int threads) const {
        check(u);
        const TreesView forest = checked(nodes, roots, sets);
        return computed<double>(forest.size, [&](double* sums) { leaf_sums(data_, forest, u.data(), sums, threads); });
    }
};

// The best children of every root split, left ones first: what they pay, and their features.
std::tuple<Owned<double>, Owned<std::int32_t>> children_of(const TableSurvey& survey) {
    std::vector<double> values;
    std::vector<std::int32_t> features;
    for (const auto* side : {&survey.children().left, &survey.children().right})
        for (const Child& child : *side) {
            values.push_back(child.value);
            features.push_back(child.feature);
        }
    return {to_numpy(std::move(values)), to_numpy(std::move(features))};
}

void take_children(TableSurvey& survey, const Vector<double>& values, const Vector<std::int32_t>& features) {
    require(values.size() == 2 * survey.roots() && features.size() == values.size(), "children are of other features");
    const auto known = [&](std::int32_t f) {
        return f == Child{}.feature || (f >= 0 && static_cast<std::size_t>(f) < survey.features());
    };
    require(std::all_of(features.data(), features.data() + features.size(), known), "children on unknown features");
    survey.take_children(values.data(), features.data());
}

void bind_search(nb::module_& module) {
    using namespace nb::literals;
    using Flags = Vector<std::uint8_t>;
    nb::class_<Rows>(module, "WeightedRows");  // those that carry weight, for as many questions as there are
    nb::class_<TableSurvey>(module, "TableSurvey")
        .def_prop_ro("pairs", &TableSurvey::pairs)
        .def("pair_cells", &TableSurvey::pair_cells, "begin"_a, "end"_a)
        .def("pair_features", [](const TableSurvey& survey) { return to_numpy(survey.pair_features()); })
        .def(
            "take_features",
            [](TableSurvey& survey, const Vector<double>& sums, const Vector<double>& masses) {
                require(sums.size() == survey.feature_cells() && masses.size() == sums.size(),
                        "sums are of other features");
                survey.take_features(sums.data(), masses.data());
            },
            array("sums"), array("masses"))
        .def(
            "take_pairs",
            [](TableSurvey& survey, std::size_t begin, std::size_t end, const Vector<double>& tables, int threads) {
                require(begin <= end && end <= survey.pairs() && tables.size() == survey.pair_cells(begin, end),
                        "tables are of other pairs");
                unlocked([&] { survey.take_pairs(begin, end, tables.data(), threads); });
            },
            "begin"_a, "end"_a, array("tables"), "threads"_a)
        .def("root_starts", [](const TableSurvey& survey) { return to_numpy(survey.root_starts()); })
        .def_prop_ro("roots", &TableSurvey::roots)
        .def("children", &children_of)
        .def("take_children", &take_children, array("values"), array("features"));
    nb::class_<TreeSearch>(module, "TreeSearch")
        .def(nb::init<CodeMatrix, Vector<std::int32_t>, Flags, Flags, Vector<double>>(), array("codes"), array("bins"),
             array("missing"), array("categorical"), array("thresholds"))
        .def("weighted", &TreeSearch::weighted, array("u"), nb::keep_alive<0, 1>())
        .def("sum_stumps", &TreeSearch::stumps_of, array("sums"), array("masses"), "columns"_a)
        .def("feature_sums", &TreeSearch::sums_by_bin, "rows"_a, "threads"_a)
        .def("pair_tables", &TreeSearch::tables, "rows"_a, "begin"_a, "end"_a, "threads"_a)
        .def("add_pair_tables", &TreeSearch::add_tables, "rows"_a, "begin"_a, "end"_a, array("tables"), "threads"_a)
        .def("side_sums", &TreeSearch::sides, "rows"_a, array("nodes"), array("sets"), array("children"), "threads"_a)
        .def("wants_rows", &TreeSearch::wants_rows, "rows"_a)
        .def("survey", &TreeSearch::survey)
        .def("survey_roots", &TreeSearch::survey_roots, "survey"_a, "columns"_a)
        .def("survey_trees", &TreeSearch::survey_trees, "survey"_a, array("sides"))
        .def("stump_trees",
             &TreeSearch::trees<static_cast<Trees (*)(const Features&, const double*, std::size_t, int, Stop&)>(
                 stump_trees)>,
             array("u"), "columns"_a, "threads"_a, "stop"_a = nb::none())
        .def("trees", &TreeSearch::trees<best_trees>, array("u"), "columns"_a, "threads"_a, "stop"_a = nb::none())
        .def("deep_trees", &TreeSearch::deep_trees, array("u"), "depth"_a, "columns"_a, "threads"_a,
             "stop"_a = nb::none())
        .def("deep_roots", &TreeSearch::deep_roots, array("u"), array("carried"), "edge"_a, "known"_a, "bound"_a,
             "close"_a, "kappa"_a, "stretch"_a, "threads"_a, "stop"_a = nb::none())
        .def("wide_trees", &TreeSearch::wide_trees, array("u"), array("hints"), "known"_a, "bound"_a, "close"_a,
             "kappa"_a, "stretch"_a, "columns"_a, "threads"_a, "stop"_a = nb::none())
        .def("count_roots", &TreeSearch::count_roots)
        .def("votes", &TreeSearch::votes, array("nodes"), array("roots"), array("sets"), "threads"_a)
        .def("sums", &TreeSearch::sums, array("nodes"), array("roots"), array("sets"), array("u"), "threads"_a);
}

}  // namespace
}  // namespace frankboost

NB_MODULE(_kernels, module) {
    nanobind::set_leak_warnings(false);  // what others hold at exit, a test runner or a profiler, is no leak of ours
    frankboost::bind_matrices(module);
    frankboost::bind_parts(module);
    frankboost::bind_trees(module);
    frankboost::bind_search(module);
}
