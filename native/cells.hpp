// Sums over rows by the bins of features and of pairs of features, for the search for trees with heavy leaves. The sums
// are computed from rows in this process, or read from tables that the parts of the rows have filled.
#pragma once

#include "table_survey.hpp"

namespace frankboost {

// Sums over some rows: of u, and of the weights.
struct Amounts {
    double u = 0.0, weight = 0.0;
    Amounts operator+(const Amounts& other) const { return {u + other.u, weight + other.weight}; }
    Amounts operator-(const Amounts& other) const { return {u - other.u, weight - other.weight}; }
};

// The bins of features with some thresholds left out: neighbouring bins become one.
struct MergedBins {
    Layout layout;
    std::vector<std::vector<std::int32_t>> code{};  // of each feature: the merged bin of each bin
    std::vector<std::vector<std::int32_t>> last{};  // of each feature: the last bin of each merged bin

    // The thresholds of feature f with the last bins kept[f] stay; a feature of categories keeps its bins.
    MergedBins(const Layout& all, const std::vector<std::vector<std::int32_t>>& kept);
    bool merges() const;
    Trees restored(Trees trees) const;  // with thresholds in terms of the bins before
};

// The sums of u, or of the weights, in the cells of all features and of pairs of features.
class Cells {
  public:
    const Layout layout;

    explicit Cells(Layout layout_) : layout(std::move(layout_)) {}
    virtual ~Cells() = default;
    virtual std::vector<double> by_bin(std::size_t f) const = 0;
    // Adds the sum in each cell of f and g to to[bin of f][bin of g]. Does nothing if no tree splits both.
    virtual void add(std::size_t f, std::size_t g, Amounts* const* to, double Amounts::* amount) const = 0;
    // Whether the cells of pairs of features are known.
    virtual bool has_pairs() const { return true; }
    // Every root with its best children.
    virtual Children children(int threads, Stop& stop) const = 0;
    // The number of additions for a pair of features.
    virtual double cost() const = 0;
    // The same sums by merged bins.
    virtual std::unique_ptr<Cells> merged(const MergedBins& bins) const = 0;
    double total() const;
};

class CellsOfRows : public Cells {
    const Rows rows_;

  public:
    CellsOfRows(const Features& data, const double* u) : Cells(Layout(data)), rows_(data, u) {}
    template <class Code>
    CellsOfRows(const Layout& layout_, const std::vector<double>& weight, std::vector<Code> codes)
        : Cells(layout_), rows_(layout_, weight, std::move(codes)) {}
    std::vector<double> by_bin(std::size_t f) const override { return histogram(rows_, f, signed_weight); }
    void add(std::size_t f, std::size_t g, Amounts* const* to, double Amounts::* amount) const override;
    Children children(int threads, Stop& stop) const override;
    double cost() const override { return static_cast<double>(rows_.size()); }
    std::unique_ptr<Cells> merged(const MergedBins& bins) const override;
};

// The sums by the bins of all features and, unless that is null, of all pairs of features.
class CellsInTables : public Cells {
    const TableOrder order_;
    const double *const sums_, *const tables_;

  public:
    CellsInTables(const Layout& layout_, const double* sums, const double* tables)
        : Cells(layout_), order_(layout), sums_(sums), tables_(tables) {}
    std::vector<double> by_bin(std::size_t f) const override;
    void add(std::size_t f, std::size_t g, Amounts* const* to, double Amounts::* amount) const override;
    bool has_pairs() const override { return tables_ != nullptr || order_.pairs.empty(); }
    Children children(int threads, Stop& stop) const override;
    double cost() const override;
    std::unique_ptr<Cells> merged(const MergedBins& bins) const override;
};

}  // namespace frankboost
