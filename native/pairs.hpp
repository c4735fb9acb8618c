// Root and child on two features, or on the same: what the best stump on the child pays left and right of every split
// of the root, offered to `children`. Each function offers both ways, either feature the root and the other the child.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "children.hpp"
#include "rows.hpp"

namespace frankboost {

// Sums of u by the bins of two features: one row for each bin of the first, one column for each of the second, the last
// of each for missing values. Tables of parts of the rows add up to that of all rows.
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

void fill_table(const Rows& rows, std::size_t f, std::size_t g, Table& table);
void scan_table(const Layout& layout, std::size_t f, std::size_t g, Table& table, Children& children);  // uses it up

// Root and child on the same feature, from the sums of u by its bins.
void scan_same(const Layout& layout, std::size_t f, const std::vector<double>& sums, Children& children);

// Rows by bin of one feature, missing values last.
struct Order {
    std::vector<std::uint32_t> row;
    std::vector<std::size_t> start;  // of each bin; start[bins] begins the missing rows, start[bins + 1] ends them
};

Order sort_rows(const Rows& rows, std::size_t f);
void sweep(const Rows& rows, std::size_t f, std::size_t g, const std::vector<Order>& orders, Children& children);

// The same three where a feature is categorical.
void scan_categories(const Layout& layout, std::size_t f, std::size_t g, const Table& table, Children& children);
void scan_same_category(const Layout& layout, std::size_t f, const std::vector<double>& sums, Children& children);
void sweep_categories(const Rows& rows, std::size_t f, std::size_t g, const std::vector<Order>& orders,
                      Children& children);

}  // namespace frankboost
