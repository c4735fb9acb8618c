// The binned training set at the Python boundary. What is asked of it is in search_module.cpp and table_module.cpp.
#pragma once

#include <optional>
#include <tuple>
#include <variant>

#include "arrays.hpp"
#include "rows.hpp"

namespace frankboost {

using OwnedSets = Owned<std::uint64_t, nb::shape<-1, set_words>>;
OwnedSets to_sets(std::vector<CategorySet>&& sets);

// Trees for Python: their nodes, where each begins, and their sets of categories.
using Forest = std::tuple<Records, Owned<std::int64_t>, OwnedSets>;

// The training set, checked once; searched once per round.
class TreeSearch {
  public:
    using CodeMatrix = std::variant<Matrix<std::uint8_t>, Matrix<std::int32_t>>;
    using Flags = Vector<std::uint8_t>;

    using Signs = Vector<std::int8_t>;
    using Places = Vector<std::int64_t>;

    TreeSearch(CodeMatrix codes, Vector<std::int32_t> bins, Flags missing, Flags categorical,
               Vector<double> thresholds);

    // Trees keep to the sign of each feature, see order.hpp.
    void keep_signs(const Signs& signs);
    // All features that a path splits are in one of some sets; set k has the members starts[k] .. starts[k + 1].
    void keep_together(const Places& starts, const Places& members);

    const Features& data() const { return data_; }
    bool constrained() const { return data_.sign != nullptr || data_.together != nullptr; }

    void check(const Vector<double>& u) const;
    void check(const Layout& layout) const;
    // Whether the split of a node and no other has a set where its feature has categories.
    void check_set(const Node& node) const;
    // The trees in these arrays, if they are trees over these bins.
    TreesView checked(const Records& nodes, const Vector<std::int64_t>& roots, const Sets& sets) const;

    // With the thresholds of the bins.
    Records to_python(std::vector<Node>&& nodes) const;
    Forest to_python(Trees&& found) const;

  private:
    CodeMatrix codes_;
    Vector<std::int32_t> bins_;
    Flags missing_, categorical_;
    Vector<double> thresholds_;
    std::vector<std::size_t> first_;  // threshold of each feature
    std::vector<std::int8_t> signs_{};
    std::vector<std::uint8_t> present_{};
    std::optional<Together> together_{};
    Features data_;  // what the kernels see of them

    double threshold_of(const Node& node) const {
        return thresholds_.data()[first_[static_cast<std::size_t>(node.feature)] + node.last_bin];
    }
    template <class Code>
    void check_codes(std::size_t f, const Code* code) const;
};

// A search on this thread, without the GIL, is ended by the exception of a signal's handler, or if ask() says so.
using Ask = std::optional<nb::typed<nb::callable, bool()>>;
Stop stop_by(const Ask& ask);

// The second half of the search for rows that lie apart (table_survey.hpp).
class TableSurvey;
TableSurvey survey_of(const TreeSearch& search);

// The half of the searches for rows that lie apart, and the search for trees with heavy leaves.
void bind_tables(nb::module_& module, nb::class_<TreeSearch>& search);
void bind_heavy(nb::module_& module, nb::class_<TreeSearch>& search);

}  // namespace frankboost
