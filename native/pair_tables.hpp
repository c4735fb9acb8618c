// Root and child on two features, from a table of the sums of u by the bins of both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "children.hpp"
#include "rows.hpp"

namespace frankboost {

// One row for each bin of the first feature, one column for each of the second; the last of each for missing values.
// Tables of parts of the rows add up to that of all rows.
struct Table {
    static constexpr std::size_t lanes = 8;  // columns are filled up to whole vectors
    std::vector<double> cell;
    std::size_t stride = 0;
    std::vector<double> extremes;  // space for a scan

    void shape(std::size_t row_bins, std::size_t column_bins) {
        stride = (column_bins + 1 + lanes - 1) / lanes * lanes;
        cell.assign((row_bins + 1) * stride, 0.0);
    }
    double* row(std::size_t t) { return cell.data() + t * stride; }
    const double* row(std::size_t t) const { return cell.data() + t * stride; }
};

template <class Code>
void fill_table(const Rows<Code>& rows, std::size_t f, std::size_t g, Table& table) {
    table.shape(rows.layout[f].bins, rows.layout[g].bins);
    const Code *cf = rows.codes[f], *cg = rows.codes[g];
    const double* weight = rows.weight.data();
    double* cell = table.cell.data();
    const std::size_t stride = table.stride;
    for (std::size_t i = 0; i < rows.size(); ++i) cell[cf[i] * stride + cg[i]] += weight[i];
}

// Offer both ways, f the root and g the child and the reverse. A scan of numbers leaves prefix sums in the table.
void scan_numbers(const Layout& layout, std::size_t f, std::size_t g, Table& table, Children& children);
void scan_categories(const Layout& layout, std::size_t f, std::size_t g, const Table& table, Children& children);

inline void scan_table(const Layout& layout, std::size_t f, std::size_t g, Table& table, Children& children) {
    if (layout[f].categorical || layout[g].categorical)
        scan_categories(layout, f, g, table, children);
    else
        scan_numbers(layout, f, g, table, children);
}

// Root and child on the same feature, from the sums of u by its bins.
void scan_same_number(const Layout& layout, std::size_t f, const std::vector<double>& sums, Children& children);
void scan_same_category(const Layout& layout, std::size_t f, const std::vector<double>& sums, Children& children);

inline void scan_same(const Layout& layout, std::size_t f, const std::vector<double>& sums, Children& children) {
    if (layout[f].categorical)
        scan_same_category(layout, f, sums, children);
    else
        scan_same_number(layout, f, sums, children);
}

}  // namespace frankboost
