// The binned training set at the Python boundary; search_module.cpp and table_module.cpp have the searches over it.
#pragma once

#include <optional>
#include <tuple>
#include <variant>

#include "arrays.hpp"
#include "rows.hpp"

namespace frankboost {

using OwnedSets = Owned<std::uint64_t, nb::shape<-1, set_words>>;
OwnedSets to_sets(std::vector<CategorySet>&& sets);

// Trees for Python: their nodes, the place of each tree's root, and their sets of categories.
using Forest = std::tuple<Records, Owned<std::int64_t>, OwnedSets>;

// The binned training set and its constraints, which are checked once and searched in every round.
class TreeSearch {
  public:
    using CodeMatrix = std::variant<Matrix<std::uint8_t>, Matrix<std::int32_t>>;
    using Flags = Vector<std::uint8_t>;

    using Signs = Vector<std::int8_t>;
    using Places = Vector<std::int64_t>;

    TreeSearch(CodeMatrix codes, Vector<std::int32_t> bins, Flags missing, Flags categorical,
               Vector<double> thresholds);

    // Sets the constraint that trees respect the sign of each feature (order.hpp).
    void keep_signs(const Signs& signs);
    // Sets the constraint that all features on a path are in one of some sets; set k has the members
    // starts[k] .. starts[k + 1].
    void keep_together(const Places& starts, const Places& members);

    const Features& data() const { return data_; }
    bool constrained() const { return data_.sign != nullptr || data_.interactions != nullptr; }

    void check(const Vector<double>& u) const;
    void check(const Layout& layout) const;
    // Requires that a split has a set of categories exactly if its feature is categorical.
    void check_set(const Node& node) const;
    // The trees in these arrays, after a check that they are trees over these bins.
    TreesView checked(const Records& nodes, const Vector<std::int64_t>& roots, const Sets& sets) const;

    // Nodes and trees for Python, with the thresholds of their bins filled in.
    Records to_python(std::vector<Node>&& nodes) const;
    Forest to_python(Trees&& found) const;

  private:
    CodeMatrix codes_;
    Vector<std::int32_t> bins_;
    Flags missing_, categorical_;
    Vector<double> thresholds_;
    std::vector<std::size_t> first_;  // the place of each feature's first threshold
    std::vector<std::int8_t> signs_{};
    std::vector<std::uint8_t> present_{};
    std::optional<InteractionSets> interactions_{};
    Features data_;  // pointers to all of these, for the kernels

    double threshold_of(const Node& node) const {
        return thresholds_.data()[first_[static_cast<std::size_t>(node.feature)] + node.last_bin];
    }
    template <class Code>
    void check_codes(std::size_t f, const Code* code) const;
};

// A function that a search asks whether to stop.
using Ask = std::optional<nb::typed<nb::callable, bool()>>;
Stop stop_by(const Ask& ask);

// The search for trees in tables that parts of the rows have filled (table_survey.hpp).
class TableSurvey;
TableSurvey survey_of(const TreeSearch& search);

// Defines the searches over rows in parts, and the search for trees with heavy leaves.
void bind_tables(nb::module_& module, nb::class_<TreeSearch>& search);
void bind_heavy(nb::module_& module, nb::class_<TreeSearch>& search);

}  // namespace frankboost
