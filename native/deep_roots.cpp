// Computes the best root of a depth-3 tree, with a proved bound, by branch and bound. Reference: brute force in
// tests/learners/test_certified_trees.py.
//
// D(S) is what the best depth-2 tree of the rows S pays, so that a root with sides S and T pays D(S) + D(T). Moving
// rows of weight W from one side to the other changes D of either side by at most W. The same holds for D_f, the best
// depth-2 tree whose own root splits feature f. So two searched roots on a feature bound every root between them, for
// each feature f of the second level. The search takes some roots of each feature, then some of the roots between them
// whose bound exceeds the cut, until there are none; at the second level it takes only the features whose bound does.
//
// If no value is missing and no feature categorical, fifteen roots are searched at once in fixed point
// (line_tables.cpp). Roots whose bound depends on rounding errors are then searched again in double precision.
#include "deep_roots.hpp"

#include <memory>
#include <numeric>

#include "deep_lines.hpp"
#include "line_tables.hpp"
#include "survey.hpp"

namespace frankboost {
namespace {

// A root to be searched: its line, its place there, and the bounds on its sides.
struct Task {
    std::size_t line, at;
    FeatureBounds sides;
};

class RootSearch {
    const Features& data_;
    const double* u_;
    const SearchGoal& goal_;
    double* carried_;
    const Rows rows_;
    const Layout& layout_;
    const bool lanes_;    // whether many roots are searched at once
    double total_ = 0.0;  // the weight of all rows
    FeatureBounds ends_;  // D_f of no rows and of all rows
    std::vector<RootLine> lines_;
    double edge_;  // the edge of the best tree

    // u on one side of a root, 0 on the other side.
    std::vector<double> side(const Root& root, bool left) const {
        const auto goes = split_of(layout_, root).sent_left(layout_[root.feature].bins);
        std::vector<double> u(data_.rows);
        const auto pick = [&](const auto* codes) {
            const auto* code = codes + root.feature * data_.rows;
            for (std::size_t i = 0; i < data_.rows; ++i) u[i] = (goes[code[i]] != 0) == left ? u_[i] : 0.0;
        };
        std::visit(pick, data_.codes);
        return u;
    }

    // Lowers the bounds of the wanted features to D_f; returns what the best depth-2 tree of these features pays.
    double bound_features(const double* u, const std::vector<std::uint8_t>& wanted, std::vector<double>& bound,
                          int threads, Stop& stop) const {
        const Rows rows(data_, u);
        const double leaf = std::fabs(std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0));
        const auto best = best_root_per_feature(layout_, survey(rows, FixedPoint{}, wanted, threads, stop));
        double pays = leaf;
        for (std::size_t f = 0; f < best.size(); ++f) {
            if (!wanted[f]) continue;
            bound[f] = std::min(bound[f], std::max(best[f].value, leaf));
            pays = std::max(pays, best[f].value);
        }
        return pays;
    }

    // Searches both sides of a root; returns what its tree pays, or -1 if it cannot pay more than the cut.
    double search_root(Task& task) const {
        const double cut = goal_.cut(edge_);
        const Root& root = lines_[task.line].root[task.at];
        const bool left_first = 2.0 * lines_[task.line].left_weight[task.at] < total_;
        Stop never([] { return false; });
        double pays = 0.0;
        for (const bool left : {left_first, !left_first}) {
            auto &own = left ? task.sides.left : task.sides.right, &other = left ? task.sides.right : task.sides.left;
            const auto wanted = features_above(own, other, cut);
            if (std::count(wanted.begin(), wanted.end(), 0) == static_cast<std::ptrdiff_t>(wanted.size())) return -1.0;
            pays += bound_features(side(root, left).data(), wanted, own, 1, never);
        }
        return pays;
    }

    // Lowers the bound of a root, here and for later searches, to the sum of the bounds on its sides.
    double lower(RootLine& line, std::size_t at, const FeatureBounds& sides) {
        double& known = carried_[layout_.place(line.root[at])];
        return known = line.bound[at] = std::min({known, line.bound[at], largest(sides.left) + largest(sides.right)});
    }

    // Lowers the bounds of a line, and chooses the roots to search next, evenly spread among those above the cut.
    void choose_roots(std::size_t number, std::vector<Task>& tasks) {
        RootLine& line = lines_[number];
        const std::size_t size = line.root.size(), some = lanes_ ? split_lanes : 4;
        std::vector<std::size_t> after(size + 1, size);
        for (std::size_t at = size; at-- > 0;) after[at] = line.searched(at) ? at : after[at + 1];
        std::vector<Task> open;
        for (std::size_t at = 0, before = size; at < size; ++at) {
            if (line.searched(at)) {
                before = at;
                continue;
            }
            FeatureBounds sides = line.between(at, before, after[at], ends_, total_);
            if (lower(line, at, sides) > goal_.cut(edge_)) open.push_back({number, at, std::move(sides)});
        }
        const std::size_t count = std::min(some, open.size());
        for (std::size_t k = 0; k < count; ++k)
            tasks.push_back(std::move(open[(2 * k + 1) * open.size() / (2 * count)]));
    }

    // Stores the result of a search.
    void record(Task& task, double pays, bool rough) {
        RootLine& line = lines_[task.line];
        lower(line, task.at, task.sides);
        line.pays[task.at] = std::max(line.pays[task.at], pays);
        line.rough[task.at] = rough;
        line.sides[task.at] = std::move(task.sides);
        edge_ = std::max(edge_, pays);
    }

    // Searches the roots one by one. Roots that were not begun when the search was stopped stay as they were.
    void search_roots(std::vector<Task>& tasks, int threads, Stop& stop) {
        for (std::size_t first = 0; first < tasks.size() && !stop.requested(); first += together) {
            const std::size_t count = std::min(together, tasks.size() - first);
            std::vector<double> pays(count, undone);
            const auto work = [&](std::size_t k, std::size_t) { pays[k] = search_root(tasks[first + k]); };
            parallel_for(count, threads, work, stop);
            for (std::size_t k = 0; k < count; ++k)
                if (pays[k] != undone) record(tasks[first + k], pays[k], false);
        }
    }
    static constexpr std::size_t together = 8;  // roots between two updates of the cut, for any number of threads
    static constexpr double undone = -2.0;
    using Tables = std::vector<std::unique_ptr<LineTables>>;  // one per worker

    // Searches roots of one line at once; pays[k] becomes what the tree of root k pays.
    void search_line(Task* tasks, std::size_t count, const LaneWeights& weights, LineTables& tables,
                     double* pays) const {
        const std::size_t n = layout_.features();
        const RootLine& line = lines_[tasks[0].line];
        const double cut = goal_.cut(edge_);
        std::vector<std::size_t> bins;
        std::vector<std::uint8_t> wanted(n, 0);
        for (std::size_t k = 0; k < count; ++k) {
            const auto& [left, right] = tasks[k].sides;
            bins.push_back(line.root[tasks[k].at].number);
            const auto wanted_left = features_above(left, right, cut), wanted_right = features_above(right, left, cut);
            for (std::size_t f = 0; f < n; ++f) wanted[f] |= wanted_left[f] | wanted_right[f];
        }
        tables.search(line.feature, bins, wanted);
        for (std::size_t lane = 0; lane < count; ++lane) {
            auto& [left, right] = tasks[lane].sides;
            double best[2] = {0.0, 0.0};
            for (std::size_t f = 0; f < n; ++f)
                for (std::size_t side : {0, 1}) {
                    double& bound = side == 0 ? left[f] : right[f];
                    const double value = tables.pays(f, side, lane);
                    if (wanted[f]) bound = std::min(bound, value + weights.slack);
                    best[side] = std::max(best[side], value);
                }
            pays[lane] = std::max(best[0] + best[1] - weights.slack, 0.0);
        }
    }

    // Searches the roots line by line; the tasks of a line are neighbours.
    void search_lines(std::vector<Task>& tasks, const LaneWeights& weights, Tables& tables, int threads, Stop& stop) {
        std::vector<std::size_t> first(1, 0);  // the first task of each line
        for (std::size_t k = 1; k <= tasks.size(); ++k)
            if (k == tasks.size() || tasks[k].line != tasks[k - 1].line) first.push_back(k);
        std::vector<double> pays(tasks.size(), undone);
        const auto work = [&](std::size_t number, std::size_t worker) {
            if (!tables[worker]) tables[worker] = std::make_unique<LineTables>(rows_, weights);
            const std::size_t begin = first[number], count = first[number + 1] - begin;
            search_line(&tasks[begin], count, weights, *tables[worker], &pays[begin]);
        };
        parallel_for(first.size() - 1, threads, work, stop);
        for (std::size_t k = 0; k < tasks.size(); ++k)
            if (pays[k] != undone) record(tasks[k], pays[k], weights.slack > 0.0);
    }

    // Searches again, in double precision, the roots that are above the cut only by rounding errors; best first.
    void search_again(int threads, Stop& stop) {
        std::vector<Task> doubts;
        const double cut = goal_.cut(edge_);
        for (std::size_t number = 0; number < lines_.size(); ++number)
            for (std::size_t at = 0; at < lines_[number].root.size(); ++at)
                if (lines_[number].rough[at] && lines_[number].bound[at] > cut)
                    doubts.push_back({number, at, lines_[number].sides[at]});
        std::stable_sort(doubts.begin(), doubts.end(), [&](const Task& a, const Task& b) {
            return lines_[a.line].bound[a.at] > lines_[b.line].bound[b.at];
        });
        search_roots(doubts, threads, stop);
    }

    double bound() const {
        double high = edge_;
        for (const RootLine& line : lines_) high = std::max(high, line.bound.empty() ? 0.0 : largest(line.bound));
        return high;
    }
    bool done() const { return std::min(goal_.bound, bound()) <= goal_.cut(edge_); }

    DeepRoots answer() const {
        Children pays(layout_);
        for (Child& child : pays.left) child.value = -infinity;
        for (const RootLine& line : lines_)
            for (std::size_t k = 0; k < line.root.size(); ++k)
                if (line.pays[k] >= 0.0) pays.left[layout_.place(line.root[k])].value = line.pays[k];
        const auto masses = [&](std::size_t f) { return histogram(rows_, f, mass); };
        return {best_splits(layout_, pays, masses), bound()};
    }

  public:
    RootSearch(const Features& data, const double* u, const SearchGoal& goal, double* carried)
        : data_(data), u_(u), goal_(goal), carried_(carried), rows_(data, u), layout_(rows_.layout),
          lanes_(fits_lanes(layout_)), edge_(goal.edge) {
        for (double weight : rows_.weight) total_ += std::fabs(weight);
    }

    DeepRoots run(int threads, Stop& stop) {
        const std::size_t n = layout_.features();
        ends_ = {std::vector<double>(n, 0.0), std::vector<double>(n, total_)};
        if (rows_.size() > 0) bound_features(u_, std::vector<std::uint8_t>(n, 1), ends_.right, threads, stop);
        if (stop.requested()) ends_.right.assign(n, total_);
        lines_ = all_lines(rows_, total_);
        const LaneWeights weights = lanes_ && rows_.size() > 0 ? lane_weights(rows_) : LaneWeights{};
        Tables tables(static_cast<std::size_t>(std::max(threads, 1)));
        while (true) {
            std::vector<Task> tasks;
            for (std::size_t line = 0; line < lines_.size(); ++line) choose_roots(line, tasks);
            if (tasks.empty() || stop.requested() || done()) break;
            if (lanes_)
                search_lines(tasks, weights, tables, threads, stop);
            else
                search_roots(tasks, threads, stop);
        }
        if (!stop.requested() && !done()) search_again(threads, stop);
        return answer();
    }
};

}  // namespace

DeepRoots best_deep_roots(const Features& data, const double* u, const SearchGoal& goal, double* carried, int threads,
                          Stop& stop) {
    return RootSearch(data, u, goal, carried).run(threads, stop);
}

}  // namespace frankboost
