// The tree search at the Python boundary.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <variant>

#include "arrays.hpp"
#include "rows.hpp"

namespace frankboost {
namespace {

// The binned training set, checked once; searched once per round.
class TreeSearch {
    using Roots = Vector<std::int64_t>;
    using Votes = std::variant<OwnedMatrix<std::int8_t>, OwnedMatrix<double>>;
    using Forest = std::tuple<Records, Owned<std::int64_t>, OwnedSets>;
    using Splits = std::tuple<Owned<double>, Records, OwnedSets>;

    std::variant<Matrix<std::uint8_t>, Matrix<std::int32_t>> codes_;
    std::size_t features_, rows_;
    Vector<std::int32_t> bins_;
    Vector<std::uint8_t> missing_, categorical_;
    Vector<double> thresholds_;
    std::vector<std::size_t> first_;  // threshold of each feature

    // Call a kernel with the data as what they are, without the GIL.
    template <class Kernel>
    auto run(Kernel&& kernel) const {
        nb::gil_scoped_release release;
        return std::visit(
            [&](const auto& codes) {
                return kernel(Features<std::decay_t<decltype(*codes.data())>>{
                    codes.data(), features_, rows_, bins_.data(), missing_.data(), categorical_.data()});
            },
            codes_);
    }

    template <class Code>
    void check_feature(std::size_t f, const Code* code) const {
        const std::int64_t bins = bins_.data()[f], top = bins - (missing_.data()[f] ? 0 : 1);
        require(bins > 0, "every feature needs a bin");
        require(!categorical_.data()[f] || static_cast<std::size_t>(bins) <= most_categories,
                "a feature has too many categories");
        for (std::size_t i = 0; i < rows_; ++i)
            require(static_cast<std::int64_t>(code[i]) >= 0 && static_cast<std::int64_t>(code[i]) <= top,
                    "a code is outside its feature's bins");
    }

    void check(const Vector<double>& u) const {
        require(u.size() == rows_, "u and codes differ in their rows");
        bool finite = true;
        for (std::size_t i = 0; i < u.size(); ++i)
            finite &= std::fabs(u.data()[i]) <= std::numeric_limits<double>::max();
        require(finite, "u must be finite");
    }

    TreesView checked(const NodeArray& nodes, const Roots& roots, const Sets& sets) const {
        const TreesView forest = view_of(nodes, roots, sets, features_);
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            const Node& node = nodes.data()[k];
            if (node.feature < 0) continue;
            require((categorical_.data()[node.feature] != 0) == (node.set_index >= 0),
                    "a split of a categorical feature, and no other, needs a set of categories");
            if (node.set_index >= 0) continue;
            require(node.last_bin >= 0 && node.last_bin + 1 < bins_.data()[node.feature],
                    "a split is outside its feature's bins");
            require(node.threshold == threshold_of(node), "a split's bin is not that of its threshold");
        }
        return forest;
    }

    double threshold_of(const Node& node) const {
        return thresholds_.data()[first_[static_cast<std::size_t>(node.feature)] + node.last_bin];
    }

    template <class Vote>
    OwnedMatrix<Vote> votes_of(const TreesView& forest, int threads) const {
        std::vector<Vote> votes(forest.trees * rows_);
        run([&](const auto& data) {
            if constexpr (std::is_same_v<Vote, double>)
                real_votes(data, forest, votes.data(), threads);
            else
                sign_votes(data, forest, votes.data(), threads);
        });
        return to_numpy<OwnedMatrix<Vote>>(std::move(votes), {forest.trees, rows_});
    }

    Records to_python(std::vector<Node>&& nodes) const {
        for (Node& node : nodes)
            if (node.feature >= 0 && node.set_index < 0) node.threshold = threshold_of(node);
        return to_records(std::move(nodes));
    }

    OwnedSets to_python(const std::vector<CategorySet>& sets) const {
        std::vector<std::uint64_t> words;
        for (const CategorySet& set : sets) words.insert(words.end(), set.word.begin(), set.word.end());
        return to_numpy<OwnedSets>(std::move(words), {sets.size(), set_words});
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
        return {to_numpy(std::move(values)), to_python(std::move(nodes)), to_python(sets)};
    }

  public:
    template <class Code>
    TreeSearch(Matrix<Code> codes, Vector<std::int32_t> bins, Vector<std::uint8_t> missing,
               Vector<std::uint8_t> categorical, Vector<double> thresholds)
        : codes_(codes), features_(codes.shape(0)), rows_(codes.shape(1)), bins_(std::move(bins)),
          missing_(std::move(missing)), categorical_(std::move(categorical)), thresholds_(std::move(thresholds)) {
        require(features_ > 0 && rows_ > 0, "codes must have a feature and a row");
        require(bins_.size() == features_ && missing_.size() == features_ && categorical_.size() == features_,
                "codes, bins, missing and categorical differ in their features");
        require(rows_ <= std::numeric_limits<std::uint32_t>::max(), "too many rows");
        std::size_t count = 0;
        for (std::size_t f = 0; f < features_; ++f) {
            check_feature(f, codes.data() + f * rows_);
            first_.push_back(count);
            if (!categorical_.data()[f]) count += static_cast<std::size_t>(bins_.data()[f] - 1);
        }
        require(thresholds_.size() == count, "thresholds must be one less than the bins of each feature of numbers");
    }

    Splits stumps(const Vector<double>& u, int threads) const {
        check(u);
        return to_python(run([&](const auto& data) { return best_stumps(data, u.data(), threads); }));
    }

    Splits roots(const Vector<double>& u, int threads) const {
        check(u);
        return to_python(run([&](const auto& data) { return best_roots(data, u.data(), threads); }));
    }

    Owned<double> tables(const Vector<double>& u, int threads) const {
        check(u);
        require(*std::max_element(bins_.data(), bins_.data() + features_) <= static_cast<std::int32_t>(most_bins),
                "a feature has too many bins for a table");
        return to_numpy(run([&](const auto& data) { return root_tables(data, u.data(), threads); }));
    }

    Splits roots_of(const Vector<double>& tables, int threads) const {
        require(tables.size() == run([](const auto& data) { return count_cells(data); }),
                "tables are of other features");
        return to_python(run([&](const auto& data) { return best_roots_of(data, tables.data(), threads); }));
    }

    Forest trees(const Vector<double>& u, std::size_t columns, int threads) const {
        check(u);
        require(columns > 0, "columns must be positive");
        Trees found = run([&](const auto& data) { return best_trees(data, u.data(), columns, threads); });
        return {to_python(std::move(found.nodes)), to_numpy(std::move(found.roots)), to_python(found.sets)};
    }

    // What trees say of the training rows: one row per tree, of bytes if all leaves are -1 or +1.
    Votes votes(const Records& records, const Roots& roots, const Sets& sets, int threads) const {
        const NodeArray nodes(records);
        const TreesView forest = checked(nodes, roots, sets);
        const bool signs = std::all_of(nodes.data(), nodes.data() + nodes.size(), [](const Node& node) {
            return node.feature >= 0 || std::fabs(node.value) == 1.0;
        });
        return signs ? Votes(votes_of<std::int8_t>(forest, threads)) : Votes(votes_of<double>(forest, threads));
    }

    // The sum of u over the rows that reach each leaf, one entry per node; 0 elsewhere.
    Owned<double> sums(const Records& records, const Roots& roots, const Sets& sets, const Vector<double>& u,
                       int threads) const {
        check(u);
        const NodeArray nodes(records);
        const TreesView forest = checked(nodes, roots, sets);
        std::vector<double> found(nodes.size(), 0.0);
        run([&](const auto& data) { return leaf_sums(data, forest, u.data(), found.data(), threads); });
        return to_numpy(std::move(found));
    }
};

}  // namespace

void bind_search(nb::module_& module) {
    using namespace nb::literals;
    using Bins = Vector<std::int32_t>;
    using Flags = Vector<std::uint8_t>;
    nb::class_<TreeSearch>(module, "TreeSearch")
        .def(nb::init<Matrix<std::uint8_t>, Bins, Flags, Flags, Vector<double>>(), array("codes"), array("bins"),
             array("missing"), array("categorical"), array("thresholds"))
        .def(nb::init<Matrix<std::int32_t>, Bins, Flags, Flags, Vector<double>>(), array("codes"), array("bins"),
             array("missing"), array("categorical"), array("thresholds"))
        .def("stumps", &TreeSearch::stumps, array("u"), "threads"_a)
        .def("roots", &TreeSearch::roots, array("u"), "threads"_a)
        .def("tables", &TreeSearch::tables, array("u"), "threads"_a)
        .def("roots_of", &TreeSearch::roots_of, array("tables"), "threads"_a)
        .def("trees", &TreeSearch::trees, array("u"), "columns"_a, "threads"_a)
        .def("votes", &TreeSearch::votes, array("nodes"), array("roots"), array("sets"), "threads"_a)
        .def("sums", &TreeSearch::sums, array("nodes"), array("roots"), array("sets"), array("u"), "threads"_a);
}

}  // namespace frankboost
