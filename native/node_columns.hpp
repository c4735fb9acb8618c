// The features as the rows of one node see them.
#pragma once

#include "rows.hpp"

namespace frankboost {

// The rows of a node by their numbers among all, rising.
using RowNumbers = std::vector<std::uint32_t>;

// A number is coded by the bins that rows are in, empty ones left out; categories stay what they are.
struct Column {
    FeatureKind kind;
    std::vector<std::int32_t> last;  // of a number, the last bin that each code stands for
    double gain = 0.0;               // what a split adds to (sum of u)^2 / mass, which sees more than signs
};

class NodeColumns {
    const Rows& all_;
    const RowNumbers& rows_;
    std::vector<double> weight_;
    std::vector<double> sum_, mass_;   // by bin; zero before and after a feature is looked at
    std::vector<std::int32_t> place_;  // by bin, its code

    std::vector<std::int32_t> bins_present(std::size_t f) const;
    Column number(std::size_t f, std::size_t most);
    Column category(std::size_t f) const;
    template <class Code>
    Column recode(std::size_t f, std::size_t most, Code* out);

  public:
    NodeColumns(const Rows& all, const RowNumbers& rows);

    const std::vector<double>& weight() const { return weight_; }

    // Some features of the node's rows. Numbers have at most so many bins, of about the same mass each.
    template <class Code>
    Rows operator()(const std::vector<std::size_t>& features, std::size_t most, std::vector<Column>& columns);
};

}  // namespace frankboost
