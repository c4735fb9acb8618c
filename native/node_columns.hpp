// The features of the rows of one node, in bins of their own.
#pragma once

#include "rows.hpp"

namespace frankboost {

// The rows of a node: their numbers among all rows, in increasing order.
using RowNumbers = std::vector<std::uint32_t>;

// A feature of a node. The codes of numbers count the bins that have rows of the node; categories keep their codes.
struct Column {
    FeatureKind kind;
    std::vector<std::int32_t> last;  // for numbers: the last of all rows' bins that each code stands for
    double gain = 0.0;               // the most that one split adds to the sum of (sum of u)^2 / mass over the leaves
};

// Makes the features of one node.
class NodeColumns {
    const Rows& all_;
    const RowNumbers& rows_;
    std::vector<double> weight_;
    std::vector<double> sum_, mass_;  // by bin; all zero between two features
    std::vector<std::int32_t> code_of_bin_;

    std::vector<std::int32_t> bins_present(std::size_t f) const;
    Column bin_numbers(std::size_t f, std::size_t most);
    Column keep_categories(std::size_t f) const;
    template <class Code>
    Column recode(std::size_t f, std::size_t most, Code* out);

  public:
    NodeColumns(const Rows& all, const RowNumbers& rows);

    const std::vector<double>& weight() const { return weight_; }

    // The node's rows with some features. Numbers have at most `most` bins, of about the same mass each.
    template <class Code>
    Rows rows_of(const std::vector<std::size_t>& features, std::size_t most, std::vector<Column>& columns);
};

}  // namespace frankboost
