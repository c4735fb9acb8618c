// The two halves of the search for depth-2 trees where the rows are apart.
#pragma once

#include "survey.hpp"

namespace frankboost {

// The tables of pairs of features one after the other, each with the sums of u by the bins of both.
struct TableOrder {
    struct Pair {
        std::size_t f, g;
    };
    std::vector<Pair> pairs;
    std::vector<std::size_t> start{0};

    explicit TableOrder(const Layout& layout) {
        for (std::size_t f = 0; f < layout.features(); ++f)
            for (std::size_t g = f + 1; g < layout.features(); ++g)
                if (layout[f].splits() && layout[g].splits() && layout.together(f, g)) {
                    pairs.push_back({f, g});
                    start.push_back(start.back() + table_size(layout, f, g));
                }
    }
    std::size_t cells(std::size_t begin, std::size_t end) const { return start[end] - start[begin]; }
};

// A root with the features of its children, at [0] right of it and at [1] left.
struct TableRoot {
    Split split;
    ChildFeatures children;
};

// The first half, of a part of the rows: sums of u and, if it is categorical, of |u| by the bins of each feature,
// feature by feature; sums of u by the bins of pairs begin .. end; sums below roots, as sides_of has them. Those of
// parts add up to those of all.
struct FeatureSums {
    std::vector<double> sums, masses;
};
FeatureSums feature_sums(const Rows& rows, int threads);
std::vector<double> pair_tables(const Rows& rows, std::size_t begin, std::size_t end, int threads);
void add_pair_tables(const Rows& rows, std::size_t begin, std::size_t end, double* tables, int threads);
std::vector<double> side_sums(const Rows& rows, const std::vector<TableRoot>& roots, int threads);

// The second half for stumps: those of stump_trees, from the sums over all rows.
Trees stump_trees(const Layout& layout, const double* sums, const double* masses, std::size_t columns);

// The second half: the trees of best_trees, unless that works with fixed-point weights. First it is told of all
// features and pairs, then the roots are asked for, then the sums below them make the trees.
class TableSurvey {
    Layout layout_;
    TableOrder order_;
    Children children_;
    std::vector<std::vector<double>> sums_, masses_;  // by the bins of each feature
    std::vector<TableRoot> roots_;
    std::size_t columns_ = 0;  // that were asked for
    double total_ = 0.0;

    TwoLevels in_order_below(const TableRoot& root, const TwoLevels& best,
                             const std::array<std::vector<double>, 2>& sums) const;

  public:
    explicit TableSurvey(const Features& data);
    std::size_t pairs() const { return order_.pairs.size(); }
    std::vector<std::int64_t> pair_features() const;  // f and g of each pair, one pair after the other
    std::size_t feature_cells() const;
    std::size_t pair_cells(std::size_t begin, std::size_t end) const { return order_.cells(begin, end); }
    std::vector<std::int64_t> root_starts() const;  // of the root splits of each feature among all
    std::size_t features() const { return layout_.features(); }
    std::size_t roots() const { return layout_.size(); }
    std::size_t side_cells() const;

    void take_features(const double* sums, const double* masses);
    void take_pairs(std::size_t begin, std::size_t end, const double* tables, int threads);

    // Instead of tables, what was found in them elsewhere: the best children of every root split, left ones first, then
    // right ones and, `with_both`, those in order.
    const Children& children() const { return children_; }
    void take_children(const double* values, const std::int32_t* features, bool with_both);

    std::vector<TableRoot> best_roots(std::size_t columns);
    Trees trees(const double* sides) const;
};

}  // namespace frankboost
