// The Python class TreeSearch: every search for trees over a binned training set. Each function checks its arguments,
// releases the GIL, and can be stopped by a signal or a Python function.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include <optional>

#include "deep_roots.hpp"
#include "fine_search.hpp"
#include "tree_search.hpp"
#include "wide_search.hpp"

namespace frankboost {

// A stop function for a search on this thread, without the GIL: it throws what a signal's handler raises, and ends the
// search if ask() returns True.
Stop stop_by(const Ask& ask) {
    return Stop([ask = ask ? nb::handle(*ask) : nb::handle()] {
        nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return ask.is_valid() && nb::cast<bool>(ask());
    });
}

namespace {

template <auto Kernel>
Forest trees_by(const TreeSearch& search, const Vector<double>& u, std::size_t columns, int threads, const Ask& ask) {
    search.check(u);
    require(columns > 0, "columns must be positive");
    Stop stop = stop_by(ask);
    return search.to_python(without_gil([&] { return Kernel(search.data(), u.data(), columns, threads, stop); }));
}

Forest deep_trees_of(const TreeSearch& search, const Vector<double>& u, std::size_t depth, std::size_t columns,
                     int threads, const Ask& ask) {
    search.check(u);
    require(depth > 2, "depth must be at least 3");
    require(columns > 0, "columns must be positive");
    Stop stop = stop_by(ask);
    return search.to_python(
        without_gil([&] { return deep_trees(search.data(), u.data(), depth, columns, threads, stop); }));
}

std::size_t count_roots(const TreeSearch& search) { return Layout(search.data()).size(); }

// For each feature: what the best known depth-3 tree pays whose root splits it, and that root, a leaf if there is none.
// Then a bound on what any tree pays, and `carried`, the bound of each root, lowered.
std::tuple<Owned<double>, Records, OwnedSets, double, Owned<double>> deep_roots_of(
    const TreeSearch& search, const Vector<double>& u, const Vector<double>& carried, double edge, double known,
    double bound, double close, double kappa, double stretch, int threads, const Ask& ask) {
    search.check(u);
    require(!search.constrained(), "the search for roots takes no constraints");
    require(carried.size() == count_roots(search), "carried must have a bound for each root");
    require(kappa >= 0.0 && stretch >= 1.0, "kappa must not be negative, nor stretch below 1");
    std::vector<double> bounds(carried.data(), carried.data() + carried.size());
    const SearchGoal goal{edge, known, bound, close, kappa, stretch};
    Stop stop = stop_by(ask);
    const DeepRoots found =
        without_gil([&] { return best_deep_roots(search.data(), u.data(), goal, bounds.data(), threads, stop); });
    std::vector<double> values;
    std::vector<Node> nodes;
    std::vector<CategorySet> sets;
    for (const auto& [split, value] : found.best) {
        values.push_back(value);
        nodes.push_back(node_of(split, sets));
    }
    return {to_numpy(std::move(values)), search.to_python(std::move(nodes)), to_sets(std::move(sets)), found.bound,
            to_numpy(std::move(bounds))};
}

// Trees over very many features, and a bound on what any tree pays.
std::tuple<Records, Owned<std::int64_t>, OwnedSets, double> wide_trees_of(
    const TreeSearch& search, const Vector<double>& u, const Vector<std::int64_t>& hints, double known, double bound,
    double close, double kappa, double stretch, std::size_t columns, int threads, const Ask& ask) {
    search.check(u);
    require(!search.constrained(), "the search of many features takes no constraints");
    require(columns > 0, "columns must be positive");
    require(kappa >= 0.0 && stretch >= 1.0, "kappa must not be negative, nor stretch below 1");
    const auto count = static_cast<std::int64_t>(search.data().features);
    require(all_of(hints, [&](std::int64_t f) { return f >= 0 && f < count; }), "hints must be features");
    require(!all_of(u, [](double x) { return x == 0.0; }), "u must not be all zero");
    const std::vector<std::size_t> features(hints.data(), hints.data() + hints.size());
    const SearchGoal goal{0.0, known, bound, close, kappa, stretch};
    Stop stop = stop_by(ask);
    BoundedTrees found =
        without_gil([&] { return wide_trees(search.data(), u.data(), goal, features, columns, threads, stop); });
    auto [nodes, roots, sets] = search.to_python(std::move(found.trees));
    return {nodes, roots, sets, found.bound};
}

// Trees over very many thresholds, and a bound on what any tree pays.
std::tuple<Records, Owned<std::int64_t>, OwnedSets, double> fine_trees_of(const TreeSearch& search,
                                                                          const Vector<double>& u, double known,
                                                                          double bound, double close, double kappa,
                                                                          double stretch, std::size_t columns,
                                                                          int threads, const Ask& ask) {
    search.check(u);
    require(search.data().sign == nullptr, "the search over many thresholds takes no signs");
    require(columns > 0, "columns must be positive");
    require(kappa >= 0.0 && stretch >= 1.0, "kappa must not be negative, nor stretch below 1");
    const SearchGoal goal{0.0, known, bound, close, kappa, stretch};
    Stop stop = stop_by(ask);
    BoundedTrees found = without_gil([&] { return fine_trees(search.data(), u.data(), goal, columns, threads, stop); });
    auto [nodes, roots, sets] = search.to_python(std::move(found.trees));
    return {nodes, roots, sets, found.bound};
}

// The votes of trees with leaves -1 and +1 for the training rows: one row per tree.
Owned<std::int8_t, nb::ndim<2>> votes_of(const TreeSearch& search, const Records& nodes,
                                         const Vector<std::int64_t>& roots, const Sets& sets, int threads) {
    const TreesView forest = search.checked(nodes, roots, sets);
    for (const Node& node : forest)
        require(node.feature >= 0 || std::fabs(node.value) == 1.0, "leaves must vote -1 or +1");
    const std::size_t rows = search.data().rows;
    std::vector<std::int8_t> votes(forest.trees * rows);
    without_gil([&] { training_votes(search.data(), forest, votes.data(), threads); });
    return to_numpy<Owned<std::int8_t, nb::ndim<2>>>(std::move(votes), {forest.trees, rows});
}

// The weighted sum of the votes of trees for the training rows, tree by tree.
Owned<double> vote_of(const TreeSearch& search, const Records& nodes, const Vector<std::int64_t>& roots,
                      const Sets& sets, const Vector<double>& weights, int threads) {
    const TreesView forest = search.checked(nodes, roots, sets);
    require(weights.size() == forest.trees, "weights must have one entry per tree");
    return filled_array<double>(search.data().rows, [&](double* votes) {
        training_vote(search.data(), forest, weights.data(), votes, threads);
    });
}

// The sum of u over the rows that reach each leaf, one entry per node; 0 elsewhere.
Owned<double> sums_of(const TreeSearch& search, const Records& nodes, const Vector<std::int64_t>& roots,
                      const Sets& sets, const Vector<double>& u, int threads) {
    search.check(u);
    const TreesView forest = search.checked(nodes, roots, sets);
    return filled_array<double>(forest.size,
                                [&](double* sums) { leaf_sums(search.data(), forest, u.data(), sums, threads); });
}

void bind_search(nb::module_& module) {
    using namespace nb::literals;
    using Flags = TreeSearch::Flags;
    nb::class_<TreeSearch> search(module, "TreeSearch");
    bind_tables(module, search);
    bind_heavy(module, search);
    search
        .def(nb::init<TreeSearch::CodeMatrix, Vector<std::int32_t>, Flags, Flags, Vector<double>>(), array_arg("codes"),
             array_arg("bins"), array_arg("missing"), array_arg("categorical"), array_arg("thresholds"))
        .def("keep_signs", &TreeSearch::keep_signs, array_arg("signs"))
        .def("keep_together", &TreeSearch::keep_together, array_arg("starts"), array_arg("members"))
        .def("stump_trees", &trees_by<stump_trees>, array_arg("u"), "columns"_a, "threads"_a, "stop"_a = nb::none())
        .def("trees", &trees_by<best_trees>, array_arg("u"), "columns"_a, "threads"_a, "stop"_a = nb::none())
        .def("deep_trees", &deep_trees_of, array_arg("u"), "depth"_a, "columns"_a, "threads"_a, "stop"_a = nb::none())
        .def("deep_roots", &deep_roots_of, array_arg("u"), array_arg("carried"), "edge"_a, "known"_a, "bound"_a,
             "close"_a, "kappa"_a, "stretch"_a, "threads"_a, "stop"_a = nb::none())
        .def("wide_trees", &wide_trees_of, array_arg("u"), array_arg("hints"), "known"_a, "bound"_a, "close"_a,
             "kappa"_a, "stretch"_a, "columns"_a, "threads"_a, "stop"_a = nb::none())
        .def("fine_trees", &fine_trees_of, array_arg("u"), "known"_a, "bound"_a, "close"_a, "kappa"_a, "stretch"_a,
             "columns"_a, "threads"_a, "stop"_a = nb::none())
        .def("count_roots", &count_roots)
        .def("votes", &votes_of, array_arg("nodes"), array_arg("roots"), array_arg("sets"), "threads"_a)
        .def("vote", &vote_of, array_arg("nodes"), array_arg("roots"), array_arg("sets"), array_arg("weights"),
             "threads"_a)
        .def("sums", &sums_of, array_arg("nodes"), array_arg("roots"), array_arg("sets"), array_arg("u"), "threads"_a);
}

}  // namespace
}  // namespace frankboost

NB_MODULE(_kernels, module) {
    nanobind::set_leak_warnings(false);  // objects that a test runner or profiler holds at exit are no leaks
    frankboost::bind_matrices(module);
    frankboost::bind_parts(module);
    frankboost::bind_trees(module);
    frankboost::bind_search(module);
}
