// The two halves of the search for depth-2 trees over rows in parts: tables of each part, and the search of their sum.
#pragma once

#include "survey.hpp"

namespace frankboost {

// The order of the tables of all pairs of features in one array.
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

// A root and the features of its children.
struct TableRoot {
    Split split;
    ChildFeatures children;
};

// The first half, for a part of the rows: sums of u by the bins of each feature, and of |u| if it is categorical; sums
// of u by the bins of the pairs begin .. end; and sums below roots, as sides_of returns them. The sums of all parts add
// up to those of all rows.
struct FeatureSums {
    std::vector<double> sums, masses;
};
FeatureSums feature_sums(const Rows& rows, int threads);
std::vector<double> pair_tables(const Rows& rows, std::size_t begin, std::size_t end, int threads);
void add_pair_tables(const Rows& rows, std::size_t begin, std::size_t end, double* tables, int threads);
std::vector<double> side_sums(const Rows& rows, const std::vector<TableRoot>& roots, int threads);

// The second half for stumps: the trees of stump_trees, from the sums over all rows.
Trees stump_trees(const Layout& layout, const double* sums, const double* masses, std::size_t columns);

// The second half for depth-2 trees: the trees of best_trees without fixed point. Call take_features, then take_pairs
// (or take_children) for all pairs, then choose_roots; the sums below these roots give the trees.
class TableSurvey {
    Layout layout_;
    TableOrder order_;
    Children children_;
    std::vector<std::vector<double>> sums_, masses_;  // by the bins of each feature
    std::vector<TableRoot> roots_;
    std::size_t columns_ = 0;  // the number of trees
    double total_ = 0.0;

    TwoLevels ordered_tree_below(const TableRoot& root, const TwoLevels& best,
                                 const std::array<std::vector<double>, 2>& sums) const;

  public:
    explicit TableSurvey(Layout layout);
    std::size_t pairs() const { return order_.pairs.size(); }
    std::vector<std::int64_t> pair_features() const;  // f and g of each pair, one pair after the other
    std::size_t feature_cells() const;
    std::size_t pair_cells(std::size_t begin, std::size_t end) const { return order_.cells(begin, end); }
    std::vector<std::int64_t> root_starts() const;  // the place of the first root split of each feature
    std::size_t features() const { return layout_.features(); }
    std::size_t roots() const { return layout_.size(); }
    std::size_t side_cells() const;

    void take_features(const double* sums, const double* masses);
    void take_pairs(std::size_t begin, std::size_t end, const double* tables, int threads);

    // The best children of every root split, which may have been found in tables elsewhere: left ones first, then right
    // ones and, if `with_both`, those in order.
    const Children& children() const { return children_; }
    void take_children(const double* values, const std::int32_t* features, bool with_both);

    std::vector<TableRoot> choose_roots(std::size_t columns);
    Trees trees(const double* sides) const;
};

}  // namespace frankboost
