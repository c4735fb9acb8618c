// The tree of largest edge, exactly.
//
// With u_i = d_i y_i a leaf pays |sum of u| over its rows. A stump over rows with sum S that sends a set with sum P
// to the left pays |P| + |S - P| = max(|S|, |2P - S|), so of all prefixes along a feature only the largest and the
// smallest matter. A depth-2 tree pays the best stump left of its root split plus the best stump right of it. For
// every pair of features there are two ways to get the extreme prefixes left and right of every root split:
//
//   tables    u scattered into a bins x bins table and summed along both axes: its rows serve the first feature as
//             root, its columns the second. m + bins^2 steps, the second part vectorised.
//   sweeps    rows enter a segment tree over the child's bins in the order of the root's bins, each node holding
//             (sum, largest prefix, smallest prefix). m log(bins) steps: for few rows or many bins.
//
// Tables of 32-bit fixed-point weights are twice as fast as tables of doubles. What rounding did to the weights bounds
// what it did to every tree, so a fixed-point survey leaves a few roots among which the best must be, and these are
// evaluated again in double precision.
//
// Sets of categories are searched by category_search.hpp, in double precision.
//
// All sums are in an order fixed by the data alone, and ties are broken by position: the same answer for every number of
// threads.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <tuple>

#include "category_search.hpp"
#include "kernels.hpp"
#include "lane_table.hpp"
#include "parallel.hpp"
#include "stumps.hpp"

namespace frankboost {
namespace {

// The rows that carry weight, and where each feature's roots are stored: position[f] + variant * numbers(f) + number,
// with variant 1 for missing values sent left. A root's number is its bin, or that of its set of categories.
template <class Code>
struct Rows {
    std::vector<Code> compact;
    std::vector<double> weight;
    std::vector<const Code*> codes;
    std::vector<std::size_t> position;
    const Features<Code>& data;

    Rows(const Features<Code>& features, const double* u) : codes(features.features), data(features) {
        const auto some = static_cast<std::size_t>(std::count_if(u, u + data.rows, [](double x) { return x != 0.0; }));
        if (some == data.rows) {
            weight.assign(u, u + data.rows);
            for (std::size_t f = 0; f < data.features; ++f) codes[f] = data.codes + f * data.rows;
        } else {
            drop_weightless(u, some);
        }
        position.resize(data.features + 1, 0);
        for (std::size_t f = 0; f < data.features; ++f)
            position[f + 1] = position[f] + numbers(f) * variants(f);
    }

    void drop_weightless(const double* u, std::size_t some) {
        std::vector<std::size_t> kept;
        kept.reserve(some);
        for (std::size_t i = 0; i < data.rows; ++i)
            if (u[i] != 0.0) kept.push_back(i);
        weight.reserve(some);
        for (auto i : kept) weight.push_back(u[i]);
        compact.resize(some * data.features);
        for (std::size_t f = 0; f < data.features; ++f) {
            const Code* source = data.codes + f * data.rows;
            Code* target = compact.data() + f * some;
            for (std::size_t i = 0; i < some; ++i) target[i] = source[kept[i]];
            codes[f] = target;
        }
    }

    std::size_t size() const { return weight.size(); }
    std::int32_t bins(std::size_t f) const { return data.bins[f]; }
    std::size_t variants(std::size_t f) const { return data.missing[f] ? 2 : 1; }
    bool categorical(std::size_t f) const { return data.categorical[f] != 0; }
    FeatureKind kind(std::size_t f) const {
        return {static_cast<std::size_t>(bins(f)), categorical(f), data.missing[f] != 0};
    }
    std::size_t numbers(std::size_t f) const {
        const auto each = static_cast<std::size_t>(bins(f));
        return categorical(f) ? count_root_sets(each) : each;
    }
    std::size_t place(std::size_t f, std::size_t number, std::size_t variant) const {
        return position[f] + variant * numbers(f) + number;
    }
    bool splits(std::size_t f) const { return bins(f) > 1 || (categorical(f) && data.missing[f]); }
};

template <class Code>
std::vector<double> histogram(const Rows<Code>& rows, std::size_t f) {
    std::vector<double> sums(static_cast<std::size_t>(rows.bins(f)) + 1, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) sums[rows.codes[f][i]] += rows.weight[i];
    return sums;
}

template <class Code>
std::vector<double> masses(const Rows<Code>& rows, std::size_t f) {
    std::vector<double> sums(static_cast<std::size_t>(rows.bins(f)) + 1, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) sums[rows.codes[f][i]] += std::fabs(rows.weight[i]);
    return sums;
}

// The best child on one side of every root split, over the child features seen so far; ties go to the first feature,
// so that the order in which features are seen does not matter.
class Side {
    std::vector<double> value_;
    std::vector<std::int32_t> feature_;

  public:
    explicit Side(std::size_t size) : value_(size, 0.0), feature_(size, std::numeric_limits<std::int32_t>::max()) {}
    double value(std::size_t at) const { return value_[at]; }
    std::int32_t feature(std::size_t at) const { return feature_[at]; }
    void offer(std::size_t at, double value, std::int32_t feature) {
        if (value > value_[at] || (value == value_[at] && feature < feature_[at])) {
            value_[at] = value;
            feature_[at] = feature;
        }
    }
    void merge(const Side& other) {
        for (std::size_t at = 0; at < value_.size(); ++at) offer(at, other.value_[at], other.feature_[at]);
    }
    void replace(const Side& other, std::size_t begin, std::size_t end) {
        std::copy(other.value_.begin() + begin, other.value_.begin() + end, value_.begin() + begin);
        std::copy(other.feature_.begin() + begin, other.feature_.begin() + end, feature_.begin() + begin);
    }
};

struct Children {
    Side left, right;
    explicit Children(std::size_t size) : left(size), right(size) {}
    void offer(std::size_t at, std::size_t feature, double left_value, double right_value) {
        left.offer(at, left_value, static_cast<std::int32_t>(feature));
        right.offer(at, right_value, static_cast<std::int32_t>(feature));
    }
    void merge(const Children& other) {
        left.merge(other.left);
        right.merge(other.right);
    }
    void replace(const Children& other, std::size_t begin, std::size_t end) {
        left.replace(other.left, begin, end);
        right.replace(other.right, begin, end);
    }
};

// ---------------------------------------------------------------------------------------------------- same feature
// Root and child split the same feature: the child's prefixes are the root's own.
template <class Code>
void same_feature(const Rows<Code>& rows, std::size_t f, Children& children) {
    const auto bins = rows.bins(f);
    const auto sums = histogram(rows, f);
    const double absent = sums[bins];
    std::vector<double> prefix(bins), high(bins, -infinity), low(bins, infinity);
    double total = 0.0;
    for (std::int32_t t = 0; t < bins; ++t) prefix[t] = total += sums[t];
    for (std::int32_t t = bins - 2; t >= 0; --t) {  // extremes of prefix over the thresholds at or after t
        high[t] = std::max(high[t + 1], prefix[t]);
        low[t] = std::min(low[t + 1], prefix[t]);
    }
    double left_high = -infinity, left_low = infinity;
    for (std::int32_t t = 0; t + 1 < bins; ++t) {
        left_high = std::max(left_high, prefix[t]);
        left_low = std::min(left_low, prefix[t]);
        const double right_high = high[t] - prefix[t], right_low = low[t] - prefix[t];
        for (std::size_t variant = 0; variant < rows.variants(f); ++variant) {
            const double left_absent = variant ? absent : 0.0, right_absent = variant ? 0.0 : absent;
            children.offer(rows.position[f] + variant * bins + t, f,
                           stump_value(left_high, left_low, prefix[t], left_absent),
                           stump_value(right_high, right_low, total - prefix[t], right_absent));
        }
    }
}

// ---------------------------------------------------------------------------------------------------------- tables
struct Table {
    std::vector<double> cell;
    std::vector<double> high_left[2], low_left[2], high_right[2], low_right[2];
    std::vector<double> added[2], total[2];
    std::size_t rows = 0, columns = 0, stride = 0;  // bins of the two features; one more of each for missing values

    void shape(std::size_t row_bins, std::size_t column_bins) {
        rows = row_bins;
        columns = column_bins;
        stride = (columns + 1 + lanes - 1) / lanes * lanes;
        cell.assign((rows + 1) * stride, 0.0);
        for (int variant = 0; variant < 2; ++variant) {
            added[variant].assign(stride, 0.0);
            total[variant].assign(stride, 0.0);
            high_left[variant].assign(stride, -infinity);
            high_right[variant].assign(stride, -infinity);
            low_left[variant].assign(stride, infinity);
            low_right[variant].assign(stride, infinity);
        }
    }
    double* row(std::size_t t) { return cell.data() + t * stride; }

    static constexpr std::size_t lanes = 8;
    typedef double Vector __attribute__((vector_size(lanes * sizeof(double))));
};

// Sum down the columns, then along the rows, four at a time so that no addition waits for the one before it.
FRANKBOOST_VECTORISED void accumulate(double* cell, std::size_t rows, std::size_t columns, std::size_t stride) {
    for (std::size_t t = 1; t < rows; ++t) {
        double* here = cell + t * stride;
        const double* above = here - stride;
        for (std::size_t k = 0; k < stride; ++k) here[k] += above[k];
    }
    std::size_t t = 0;
    for (; t + 4 <= rows + 1; t += 4) {
        double* a = cell + t * stride;
        double *b = a + stride, *c = b + stride, *d = c + stride;
        double sa = a[0], sb = b[0], sc = c[0], sd = d[0];
        for (std::size_t k = 1; k < columns; ++k) {
            a[k] = sa += a[k];
            b[k] = sb += b[k];
            c[k] = sc += c[k];
            d[k] = sd += d[k];
        }
    }
    for (; t < rows + 1; ++t) {
        double* a = cell + t * stride;
        for (std::size_t k = 1; k < columns; ++k) a[k] += a[k - 1];
    }
}

struct Extremes {
    double high_left = -infinity, low_left = infinity;
    double high_right = -infinity, low_right = infinity;
};

// Extremes over k of c[k] + a[k] and of total[k] - c[k]. Vectors are spelled out, since no compiler may reorder a
// reduction of doubles by itself.
FRANKBOOST_VECTORISED void extremes_along(const double* c, const double* a, const double* total, std::size_t count,
                                          Extremes& out) {
    using Vector = Table::Vector;
    constexpr std::size_t lanes = Table::lanes;
    Vector hl = Vector{} - infinity, ll = Vector{} + infinity, hr = hl, lr = ll;
    std::size_t k = 0;
    for (; k + lanes <= count; k += lanes) {
        Vector here, add, all;
        std::memcpy(&here, c + k, sizeof(Vector));
        std::memcpy(&add, a + k, sizeof(Vector));
        std::memcpy(&all, total + k, sizeof(Vector));
        const Vector left = here + add, right = all - here;
        hl = left > hl ? left : hl;
        ll = left < ll ? left : ll;
        hr = right > hr ? right : hr;
        lr = right < lr ? right : lr;
    }
    for (; k < count; ++k) {
        const double left = c[k] + a[k], right = total[k] - c[k];
        hl[0] = std::max<double>(hl[0], left);
        ll[0] = std::min<double>(ll[0], left);
        hr[0] = std::max<double>(hr[0], right);
        lr[0] = std::min<double>(lr[0], right);
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        out.high_left = std::max<double>(out.high_left, hl[lane]);
        out.low_left = std::min<double>(out.low_left, ll[lane]);
        out.high_right = std::max<double>(out.high_right, hr[lane]);
        out.low_right = std::min<double>(out.low_right, lr[lane]);
    }
}

// Per column k, extremes so far of c[k] + added and of total - c[k].
FRANKBOOST_VECTORISED void extremes_down(const double* __restrict c, double added, double total, std::size_t count,
                                         double* __restrict hl, double* __restrict ll, double* __restrict hr,
                                         double* __restrict lr) {
    for (std::size_t k = 0; k < count; ++k) {
        const double left = c[k] + added, right = total - c[k];
        hl[k] = left > hl[k] ? left : hl[k];
        ll[k] = left < ll[k] ? left : ll[k];
        hr[k] = right > hr[k] ? right : hr[k];
        lr[k] = right < lr[k] ? right : lr[k];
    }
}

template <class Code>
void pair_by_table(const Rows<Code>& rows, std::size_t f, std::size_t g, Table& table, Children& children) {
    const std::size_t F = rows.bins(f), G = rows.bins(g);
    table.shape(F, G);
    const Code *cf = rows.codes[f], *cg = rows.codes[g];
    for (std::size_t i = 0; i < rows.size(); ++i) table.cell[cf[i] * table.stride + cg[i]] += rows.weight[i];
    accumulate(table.cell.data(), F, G, table.stride);
    const double* with_f = table.row(F - 1);  // sums over the rows where f is present, by bin of g
    const double* without_f = table.row(F);
    const double both = with_f[G - 1], only_f = with_f[G], only_g = without_f[G - 1], neither = without_f[G];
    for (std::size_t k = 0; k < G; ++k) {
        table.total[0][k] = with_f[k] + without_f[k];
        table.added[1][k] = without_f[k];
        table.total[1][k] = with_f[k];
    }
    for (std::size_t t = 0; t + 1 < F; ++t) {
        const double* c = table.row(t);
        for (std::size_t variant = 0; variant < rows.variants(f); ++variant) {
            Extremes seen;
            extremes_along(c, table.added[variant].data(), table.total[variant].data(), G - 1, seen);
            const double present = c[G - 1] + (variant ? only_g : 0.0), absent = c[G] + (variant ? neither : 0.0);
            children.offer(
                rows.position[f] + variant * F + t, g,
                stump_value(seen.high_left, seen.low_left, present, absent),
                stump_value(seen.high_right, seen.low_right, both + only_g - present, only_f + neither - absent));
        }
        for (std::size_t variant = 0; variant < rows.variants(g); ++variant)
            extremes_down(c, variant ? c[G] : 0.0, c[G - 1] + (variant ? 0.0 : c[G]), G - 1,
                          table.high_left[variant].data(), table.low_left[variant].data(),
                          table.high_right[variant].data(), table.low_right[variant].data());
    }
    for (std::size_t variant = 0; variant < rows.variants(g); ++variant)
        for (std::size_t k = 0; k + 1 < G; ++k) {
            const double present = with_f[k] + (variant ? only_f : 0.0);
            const double absent = without_f[k] + (variant ? neither : 0.0);
            children.offer(
                rows.position[g] + variant * G + k, f,
                stump_value(table.high_left[variant][k], table.low_left[variant][k], present, absent),
                stump_value(table.high_right[variant][k], table.low_right[variant][k],
                                           both + only_f - present, only_g + neither - absent));
        }
}

// Fixed-point weights in units of 1/scale, feature by feature as the tables of lane_table.hpp want them. What rounding
// did to the weights, `slack` in all, bounds what it did to any tree.
struct FixedPoint {
    std::vector<std::int32_t> weight;
    double unit = 1.0, slack = 0.0;
    std::vector<std::vector<std::uint8_t>> place;    // of each row among the columns of a table
    std::vector<LaneBuffer> column_total;             // prefix sums over the bins, as the columns of a table
    std::vector<std::vector<std::int32_t>> row_total;  // as its rows
};

template <class Code>
FixedPoint fixed_point(const Rows<Code>& rows, int threads) {
    const std::size_t n = rows.data.features;
    double mass = 0.0;
    for (double u : rows.weight) mass += std::fabs(u);
    FixedPoint fixed;
    const double scale = (2147483647.0 - static_cast<double>(rows.size())) / mass;  // no sum can overflow
    fixed.unit = 1.0 / scale;
    fixed.weight.reserve(rows.size());
    for (double u : rows.weight) {
        fixed.weight.push_back(static_cast<std::int32_t>(std::lround(u * scale)));
        fixed.slack += std::fabs(u - fixed.weight.back() * fixed.unit);
    }
    fixed.place.resize(n);
    fixed.column_total.resize(n);
    fixed.row_total.resize(n);
    const int workers = threads_worth(2.0 * static_cast<double>(rows.size() * n), threads);
    parallel_for(n, workers, [&](std::size_t f, std::size_t) {
        const auto bins = static_cast<std::size_t>(rows.bins(f));
        if (bins > 256 || rows.data.missing[f] || rows.categorical(f)) return;
        const std::size_t vectors = lane_vectors(bins);
        std::vector<std::int32_t> total(vectors * table_lanes, 0);
        std::uint8_t places[256];
        for (std::size_t k = 0; k < bins; ++k) places[k] = static_cast<std::uint8_t>(lane_place(k, vectors));
        fixed.place[f].resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto code = static_cast<std::size_t>(rows.codes[f][i]);
            total[code] += fixed.weight[i];
            fixed.place[f][i] = places[code];
        }
        std::partial_sum(total.begin(), total.end(), total.begin());
        fixed.column_total[f].assign(vectors, 0);
        std::int32_t* columns = fixed.column_total[f].cells();
        for (std::size_t k = 0; k < total.size(); ++k) columns[lane_place(k, vectors)] = total[k];
        fixed.row_total[f] = std::move(total);
    });
    return fixed;
}

template <class Code>
void pair_by_lanes(const Rows<Code>& rows, const FixedPoint& fixed, std::size_t f, std::size_t g, LaneTable& table,
                   Children& children) {
    const std::size_t F = rows.bins(f), G = rows.bins(g);
    table.shape(F, G);
    const Code* row = rows.codes[f];
    const std::uint8_t* place = fixed.place[g].data();
    const std::size_t stride = table.vectors * table_lanes;
    std::int32_t* cells = table.cell.cells();
    for (std::size_t i = 0; i < rows.size(); ++i) cells[row[i] * stride + place[i]] += fixed.weight[i];
    scan_lanes(table, fixed.column_total[g].vectors(), fixed.row_total[f].data());
    auto offer = [&](std::size_t root, const PrefixExtremes& seen, std::size_t at, std::int32_t left, std::int32_t right,
                     std::size_t child) {
        children.offer(root, child, fixed.unit * stump_value(seen.high_left.cells()[at], seen.low_left.cells()[at], left, 0.0),
                       fixed.unit * stump_value(seen.high_right.cells()[at], seen.low_right.cells()[at], right, 0.0));
    };
    const std::int32_t *left_f = fixed.row_total[f].data(), *left_g = fixed.row_total[g].data();
    const std::int32_t all = left_f[F - 1];
    for (std::size_t t = 0; t + 1 < F; ++t) offer(rows.position[f] + t, table.of_rows, t, left_f[t], all - left_f[t], g);
    for (std::size_t k = 0; k + 1 < G; ++k)
        offer(rows.position[g] + k, table.of_columns, lane_place(k, table.vectors), left_g[k], all - left_g[k], f);
}

// ---------------------------------------------------------------------------------------------------------- sweeps
// Rows by bin of one feature, missing values last.
struct Order {
    std::vector<std::uint32_t> row;
    std::vector<std::size_t> start;  // of each bin; start[bins] begins the missing rows, start[bins + 1] ends them
};

template <class Code>
Order sort_rows(const Rows<Code>& rows, std::size_t f) {
    Order order;
    order.start.assign(static_cast<std::size_t>(rows.bins(f)) + 2, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) ++order.start[rows.codes[f][i] + 1];
    for (std::size_t b = 1; b < order.start.size(); ++b) order.start[b] += order.start[b - 1];
    order.row.resize(rows.size());
    auto next = order.start;
    for (std::size_t i = 0; i < rows.size(); ++i)
        order.row[next[rows.codes[f][i]]++] = static_cast<std::uint32_t>(i);
    return order;
}

// A segment tree over the child's thresholds, and the sums of the rows that lie beyond them.
class alignas(64) Prefixes {  // a cache line of its own for each worker
    struct Node {
        double sum, high, low;
    };
    std::vector<Node> node_;
    std::size_t leaves_ = 1, thresholds_ = 0;
    double present_ = 0.0, absent_ = 0.0;

  public:
    void clear(std::size_t bins) {
        thresholds_ = bins - 1;
        for (leaves_ = 1; leaves_ < thresholds_;) leaves_ *= 2;
        node_.assign(2 * leaves_, Node{0.0, 0.0, 0.0});
        present_ = absent_ = 0.0;
    }
    void add(std::size_t code, double u) {
        if (code > thresholds_) {
            absent_ += u;
            return;
        }
        present_ += u;
        if (code == thresholds_) return;
        std::size_t at = leaves_ + code;
        const double sum = node_[at].sum + u;
        node_[at] = Node{sum, sum, sum};
        for (at /= 2; at > 0; at /= 2) {
            const Node &l = node_[2 * at], &r = node_[2 * at + 1];
            node_[at] = Node{l.sum + r.sum, std::max(l.high, l.sum + r.high), std::min(l.low, l.sum + r.low)};
        }
    }
    double value() const { return stump_value(node_[1].high, node_[1].low, present_, absent_); }
};

// Child feature g left and right of every root split on f.
template <class Code>
void pair_by_sweep(const Rows<Code>& rows, std::size_t f, std::size_t g, const Order& order, Prefixes& prefixes,
                   Children& children) {
    const std::size_t F = rows.bins(f), G = rows.bins(g);
    const Code* code = rows.codes[g];
    auto enter = [&](std::size_t bin) {
        for (std::size_t at = order.start[bin]; at < order.start[bin + 1]; ++at)
            prefixes.add(code[order.row[at]], rows.weight[order.row[at]]);
    };
    for (std::size_t variant = 0; variant < rows.variants(f); ++variant) {
        const std::size_t base = rows.position[f] + variant * F;
        prefixes.clear(G);
        if (variant == 1) enter(F);
        for (std::size_t t = 0; t + 1 < F; ++t) {
            enter(t);
            children.left.offer(base + t, prefixes.value(), static_cast<std::int32_t>(g));
        }
        prefixes.clear(G);
        if (variant == 0) enter(F);
        for (std::size_t t = F - 1; t-- > 0;) {
            enter(t + 1);
            children.right.offer(base + t, prefixes.value(), static_cast<std::int32_t>(g));
        }
    }
}

// ------------------------------------------------------------------------------------------------------ categories
// Child feature g left and right of every root split on f, one of them categorical; f and g may be the same.
template <class Code, class Gather>
void child_of(const Rows<Code>& rows, std::size_t f, std::size_t g, Gather&& gather, Children& children) {
    for_each_split(rows.kind(f), rows.kind(g), gather,
                   [&](std::size_t number, std::size_t variant, const ChildPays& pays) {
                       children.offer(rows.place(f, number, variant), g, pays.left, pays.right);
                   });
}

// Both ways, from a table of sums by the bins of both.
template <class Code>
void categories_by_table(const Rows<Code>& rows, std::size_t f, std::size_t g, std::vector<double>& cells,
                         Children& children) {
    const std::size_t height = rows.kind(f).bins + 1, width = rows.kind(g).bins + 1;
    cells.assign(height * width, 0.0);
    const Code *cf = rows.codes[f], *cg = rows.codes[g];
    for (std::size_t i = 0; i < rows.size(); ++i) cells[cf[i] * width + cg[i]] += rows.weight[i];
    child_of(rows, f, g, [&](std::size_t bin, double* out) {
        for (std::size_t k = 0; k < width; ++k) out[k] += cells[bin * width + k];
    }, children);
    if (f == g) return;
    child_of(rows, g, f, [&](std::size_t bin, double* out) {
        for (std::size_t t = 0; t < height; ++t) out[t] += cells[t * width + bin];
    }, children);
}

// One way, from the rows in the order of the root's bins: a numeric feature may have too many of them for a table.
template <class Code>
void categories_by_order(const Rows<Code>& rows, std::size_t f, std::size_t g, const Order& order, Children& children) {
    const Code* code = rows.codes[g];
    child_of(rows, f, g, [&](std::size_t bin, double* out) {
        for (std::size_t at = order.start[bin]; at < order.start[bin + 1]; ++at)
            out[code[order.row[at]]] += rows.weight[order.row[at]];
    }, children);
}

// ---------------------------------------------------------------------------------------------------------- survey
// Rough costs in nanoseconds, measured; only the choice between two exact methods, and how many threads are worth
// starting, hang on them.
template <class Code>
double table_cost(const Rows<Code>& rows, std::size_t f, std::size_t g) {
    const double F = rows.bins(f), G = rows.bins(g);
    return F > 256 || G > 256 ? infinity : 2.0 * static_cast<double>(rows.size()) + 0.5 * F * G;
}

template <class Code>
double sweep_cost(const Rows<Code>& rows, std::size_t f, std::size_t g) {
    const double levels = std::log2(rows.bins(f)) + std::log2(rows.bins(g));
    return 2.0 * static_cast<double>(rows.size()) * (4.0 + 2.0 * levels);
}

template <class Code>
bool prefer_table(const Rows<Code>& rows, std::size_t f, std::size_t g) {
    return table_cost(rows, f, g) < sweep_cost(rows, f, g);
}

template <class Code>
double category_cost(const Rows<Code>& rows, std::size_t f, std::size_t g) {
    const auto roots = [&](std::size_t h) { return static_cast<double>(rows.numbers(h) * rows.variants(h)); };
    return 4.0 * static_cast<double>(rows.size()) + 2.0 * (roots(f) * rows.bins(g) + roots(g) * rows.bins(f));
}

// Every root split on a wanted feature with its best children; on a feature that is not wanted, not all children are
// looked at. Without fixed-point weights the values are exact.
template <class Code>
Children survey(const Rows<Code>& rows, const FixedPoint* fixed, const std::vector<std::uint8_t>& wanted, int threads) {
    const std::size_t n = rows.data.features;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::vector<std::uint8_t> swept(n, 0);
    double cost = 0.0;
    for (std::size_t f = 0; f < n; ++f)
        for (std::size_t g = f; g < n; ++g)
            if (rows.splits(f) && rows.splits(g) && (wanted[f] || wanted[g])) {
                pairs.emplace_back(f, g);
                if (rows.categorical(f) || rows.categorical(g)) {
                    cost += category_cost(rows, f, g);
                    if (std::max(rows.bins(f), rows.bins(g)) > 256) swept[f] = swept[g] = 1;
                    continue;
                }
                cost += std::min(table_cost(rows, f, g), sweep_cost(rows, f, g));
                if (f != g && !prefer_table(rows, f, g)) swept[f] = swept[g] = 1;
            }
    const auto workers = static_cast<std::size_t>(threads_worth(cost, threads));
    std::vector<Order> order(n);
    for (std::size_t f = 0; f < n; ++f)
        if (swept[f]) order[f] = sort_rows(rows, f);
    std::vector<Children> children(workers, Children(rows.position[n]));
    std::vector<Table> tables(workers);
    std::vector<LaneTable> lane_tables(workers);
    std::vector<Prefixes> prefixes(workers);
    std::vector<std::vector<double>> cells(workers);
    parallel_for(pairs.size(), static_cast<int>(workers), [&](std::size_t task, std::size_t worker) {
        const auto [f, g] = pairs[task];
        if (rows.categorical(f) || rows.categorical(g)) {
            if (std::max(rows.bins(f), rows.bins(g)) <= 256) {
                categories_by_table(rows, f, g, cells[worker], children[worker]);
            } else {
                categories_by_order(rows, f, g, order[f], children[worker]);
                categories_by_order(rows, g, f, order[g], children[worker]);
            }
        } else if (f == g) {
            same_feature(rows, f, children[worker]);
        } else if (prefer_table(rows, f, g)) {
            if (fixed != nullptr && rows.variants(f) == 1 && rows.variants(g) == 1)
                pair_by_lanes(rows, *fixed, f, g, lane_tables[worker], children[worker]);
            else
                pair_by_table(rows, f, g, tables[worker], children[worker]);
        } else {
            pair_by_sweep(rows, f, g, order[f], prefixes[worker], children[worker]);
            pair_by_sweep(rows, g, f, order[g], prefixes[worker], children[worker]);
        }
    });
    for (std::size_t worker = 1; worker < workers; ++worker) children[0].merge(children[worker]);
    return std::move(children[0]);
}

// ----------------------------------------------------------------------------------------------------------- trees
struct Root {
    std::size_t feature;
    std::int32_t number;  // the last bin that goes left, or the number of a set of categories
    bool missing_left;
    std::size_t at;  // where the survey keeps it
};

template <class Code>
Root root_at(const Rows<Code>& rows, std::size_t f, std::int32_t number, bool missing_left) {
    return {f, number, missing_left, rows.place(f, static_cast<std::size_t>(number), missing_left)};
}

template <class Code, class Visit>
void for_each_root(const Rows<Code>& rows, std::size_t f, Visit&& visit) {
    // The empty set splits only missing values off; a last bin that is the last of all splits nothing off.
    const bool sets = rows.categorical(f);
    const auto end = static_cast<std::int32_t>(rows.numbers(f)) - (sets ? 0 : 1);
    for (std::int32_t number = 0; number < end; ++number)
        for (std::size_t variant = sets && number == 0 ? 1 : 0; variant < rows.variants(f); ++variant)
            visit(root_at(rows, f, number, variant == 1));
}

double value_of(const Children& children, const Root& root) {
    return children.left.value(root.at) + children.right.value(root.at);
}

void keep_better(Splits& best, std::size_t f, double value, std::int32_t bin, bool missing_left) {
    if (value > best.value[f]) {
        best.value[f] = value;
        best.bin[f] = bin;
        best.missing_left[f] = missing_left;
    }
}

template <class Code>
Splits best_of_each(const Rows<Code>& rows, const Children& children) {
    Splits best(rows.data.features);
    for (std::size_t f = 0; f < rows.data.features; ++f)
        for_each_root(rows, f, [&](const Root& root) {
            keep_better(best, f, value_of(children, root), root.number, root.missing_left);
        });
    return best;
}

// A stump, or a leaf if bin is -1, and the sums of u in its leaves (a leaf's own in `left`).
struct Stump {
    std::int32_t feature = -1;
    std::int32_t bin = -1;
    std::uint8_t missing_left = 0;
    double left = 0.0, right = 0.0;
    CategorySet set{};  // instead of the bin, if the feature is categorical
};

struct TwoLevels {
    std::int32_t feature = -1;
    std::int32_t bin = -1;
    std::uint8_t missing_left = 0;
    CategorySet set{};
    Stump left, right;
    double value = -1.0;
};

// The best stump on feature g over sums by bin, and what its two leaves hold; a single leaf if no split pays more.
Stump best_stump(const std::vector<double>& sums, std::size_t g) {
    const std::size_t bins = sums.size() - 1;
    const double absent = sums[bins];
    const double present = std::accumulate(sums.begin(), sums.end() - 1, 0.0), sum = present + absent;
    Stump best;
    best.feature = static_cast<std::int32_t>(g);
    best.left = sum;
    double value = std::fabs(sum), prefix = 0.0;
    for (std::size_t t = 0; t + 1 < bins; ++t) {
        prefix += sums[t];
        for (int variant = 0; variant < 2; ++variant) {
            const double left = prefix + (variant ? absent : 0.0);
            if (std::fabs(2.0 * left - sum) > value) {
                value = std::fabs(2.0 * left - sum);
                best.bin = static_cast<std::int32_t>(t);
                best.missing_left = static_cast<std::uint8_t>(variant);
                best.left = left;
                best.right = sum - left;
            }
        }
    }
    return best;
}

Stump best_stump(const std::vector<double>& sums, const std::vector<double>& mass, std::size_t g) {
    const CategoryStump found = category_stump(sums, mass);
    Stump best;
    best.feature = static_cast<std::int32_t>(g);
    best.left = found.left;
    best.right = found.right;
    if (found.left > 0.0 && found.right < 0.0) {
        best.bin = 0;
        best.missing_left = found.split.missing_left;
        best.set = found.split.set;
    }
    return best;
}

double pay(const Stump& stump) { return std::fabs(stump.left) + std::fabs(stump.right); }

// The best stump on feature g[0] over the rows right of a root, and on g[1] over those left of it, in one pass without a
// branch: which side a row is on cannot be predicted.
template <class Code>
std::pair<Stump, Stump> best_children(const Rows<Code>& rows, const std::vector<std::uint8_t>& left, std::size_t right_g,
                                      std::size_t left_g) {
    const std::size_t g[2] = {right_g, left_g};
    std::vector<double> sums[2];
    for (int side = 0; side < 2; ++side) sums[side].assign(static_cast<std::size_t>(rows.bins(g[side])) + 1, 0.0);
    const Code* codes[2] = {rows.codes[right_g], rows.codes[left_g]};
    double* const cells[2] = {sums[0].data(), sums[1].data()};
    for (std::size_t i = 0; i < rows.size(); ++i) cells[left[i]][codes[left[i]][i]] += rows.weight[i];
    auto child = [&](std::size_t side) {
        if (!rows.categorical(g[side])) return best_stump(sums[side], g[side]);
        std::vector<double> mass(sums[side].size(), 0.0);
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (left[i] == side) mass[codes[side][i]] += std::fabs(rows.weight[i]);
        return best_stump(sums[side], mass, g[side]);
    };
    return {child(1), child(0)};
}

// The tree below a root; each child on the given feature, or on the best of all if that is negative.
template <class Code>
TwoLevels grow(const Rows<Code>& rows, const Root& root, std::int32_t left_feature, std::int32_t right_feature) {
    std::vector<std::uint8_t> left(rows.size());
    const Code* codes = rows.codes[root.feature];
    const auto bins = rows.bins(root.feature);
    TwoLevels tree;
    tree.feature = static_cast<std::int32_t>(root.feature);
    tree.bin = root.number;
    tree.missing_left = root.missing_left;
    if (rows.categorical(root.feature)) {
        const auto number = static_cast<std::size_t>(root.number);
        const CategorySplit split = root_split(number, root.missing_left, masses(rows, root.feature));
        tree.bin = 0;
        tree.missing_left = split.missing_left;
        tree.set = split.set;
        CategorySet goes = split.set;
        goes.put(static_cast<std::size_t>(bins), split.missing_left);
        for (std::size_t i = 0; i < rows.size(); ++i) left[i] = goes.has(static_cast<std::size_t>(codes[i]));
    } else {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto code = static_cast<std::int32_t>(codes[i]);
            left[i] = static_cast<std::uint8_t>((code <= root.number) | (root.missing_left & (code == bins)));
        }
    }
    if (left_feature >= 0 && right_feature >= 0) {
        std::tie(tree.left, tree.right) = best_children(rows, left, static_cast<std::size_t>(right_feature),
                                                        static_cast<std::size_t>(left_feature));
    } else {
        for (std::size_t g = 0; g < rows.data.features; ++g) {
            const auto [on_left, on_right] = best_children(rows, left, g, g);
            if (g == 0 || pay(on_left) > pay(tree.left)) tree.left = on_left;
            if (g == 0 || pay(on_right) > pay(tree.right)) tree.right = on_right;
        }
    }
    tree.value = pay(tree.left) + pay(tree.right);
    return tree;
}

// The roots among which the best must be.
template <class Code>
std::vector<Root> contenders(const Rows<Code>& rows, const Children& children, double least) {
    std::vector<Root> roots;
    for (std::size_t f = 0; f < rows.data.features; ++f) {
        std::vector<std::uint8_t> filled;
        for_each_root(rows, f, [&](const Root& root) {
            if (value_of(children, root) < least) return;
            if (filled.empty()) {
                filled.assign(static_cast<std::size_t>(rows.bins(f)) + 1, 0);
                for (std::size_t i = 0; i < rows.size(); ++i) filled[rows.codes[f][i]] = 1;
            }
            // A bin without rows gives the same split as the one before it.
            if (rows.categorical(f) || filled[root.number] || root.number == 0) roots.push_back(root);
        });
    }
    return roots;
}

// The exact values of all roots on the features of these.
template <class Code>
void survey_again(const Rows<Code>& rows, const std::vector<Root>& roots, Children& children, int threads) {
    std::vector<std::uint8_t> wanted(rows.data.features, 0);
    for (const Root& root : roots) wanted[root.feature] = 1;
    const Children exact = survey(rows, nullptr, wanted, threads);
    for (std::size_t f = 0; f < rows.data.features; ++f)
        if (wanted[f]) children.replace(exact, rows.position[f], rows.position[f + 1]);
}

// Whether scanning tables is most of the work. With many rows scattering is, which fixed point does not speed up, and
// rounding adds up.
template <class Code>
bool worth_fixing(const Rows<Code>& rows) {
    double bins = 0.0;
    for (std::size_t f = 0; f < rows.data.features; ++f) bins += std::min(rows.bins(f), 256);
    const double mean = bins / static_cast<double>(rows.data.features);
    return rows.size() > 0 && static_cast<double>(rows.size()) < 0.5 * mean * mean;
}

std::int8_t sign_of(double sum, std::int8_t otherwise) {
    return static_cast<std::int8_t>(sum > 0.0 ? 1 : sum < 0.0 ? -1 : otherwise);
}

std::int32_t add_node(Nodes& nodes, std::int32_t feature, std::int32_t bin, std::uint8_t missing_left,
                      const CategorySet& set, std::int8_t value) {
    nodes.feature.push_back(feature);
    nodes.last_bin.push_back(bin);
    nodes.missing_left.push_back(missing_left);
    nodes.left.push_back(-1);
    nodes.right.push_back(-1);
    nodes.value.push_back(value);
    nodes.subset.insert(nodes.subset.end(), set.word.begin(), set.word.end());
    return static_cast<std::int32_t>(static_cast<std::int64_t>(nodes.feature.size()) - nodes.roots.back()) - 1;
}

std::int32_t add_leaf(Nodes& nodes, std::int8_t value) { return add_node(nodes, -1, -1, 0, CategorySet{}, value); }

// A leaf votes as the sum of u in it; one without weight as its parent would, and so on up.
std::int32_t add_stump(Nodes& nodes, const Stump& stump, std::int8_t parent) {
    const std::int8_t own = sign_of(stump.left + stump.right, parent);
    if (stump.bin < 0) return add_leaf(nodes, own);
    const std::int32_t node = add_node(nodes, stump.feature, stump.bin, stump.missing_left, stump.set, 0);
    const auto at = static_cast<std::size_t>(nodes.roots.back() + node);
    nodes.left[at] = add_leaf(nodes, sign_of(stump.left, own));
    nodes.right[at] = add_leaf(nodes, sign_of(stump.right, own));
    return node;
}

void add_tree(Nodes& nodes, const TwoLevels& tree, std::int8_t sign) {
    nodes.roots.push_back(static_cast<std::int64_t>(nodes.feature.size()));
    add_node(nodes, tree.feature, tree.bin, tree.missing_left, tree.set, 0);
    const auto root = static_cast<std::size_t>(nodes.roots.back());
    const std::int32_t left = add_stump(nodes, tree.left, sign), right = add_stump(nodes, tree.right, sign);
    nodes.left[root] = left;
    nodes.right[root] = right;
}

template <class Code>
std::vector<std::uint8_t> all_of(const Features<Code>& data) {
    return std::vector<std::uint8_t>(data.features, 1);
}

template <class Code>
bool any_categorical(const Features<Code>& data) {
    return std::any_of(data.categorical, data.categorical + data.features, [](auto yes) { return yes != 0; });
}

void keep_set(Splits& best, std::size_t f, const CategorySet& set) {
    std::copy(set.word.begin(), set.word.end(), best.subset.begin() + static_cast<std::ptrdiff_t>(set_words * f));
}

}  // namespace

template <class Code>
Splits best_stumps(const Features<Code>& data, const double* u, int threads) {
    const Rows<Code> rows(data, u);
    Splits best(data.features);
    if (any_categorical(data)) best.subset.assign(set_words * data.features, 0);
    const int workers = threads_worth(1.5 * static_cast<double>(rows.size() * data.features), threads);
    parallel_for(data.features, workers, [&](std::size_t f, std::size_t) {
        const bool sets = rows.categorical(f);
        const auto sums = histogram(rows, f);
        const Stump stump = sets ? best_stump(sums, masses(rows, f), f) : best_stump(sums, f);
        keep_better(best, f, pay(stump), stump.bin, stump.missing_left != 0);
        if (sets) keep_set(best, f, stump.set);
    });
    return best;
}

template <class Code>
Splits best_roots(const Features<Code>& data, const double* u, int threads) {
    const Rows<Code> rows(data, u);
    Splits best = best_of_each(rows, survey(rows, nullptr, all_of(data), threads));
    if (any_categorical(data)) best.subset.assign(set_words * data.features, 0);
    for (std::size_t f = 0; f < data.features; ++f)
        if (rows.categorical(f) && best.bin[f] >= 0) {
            const auto number = static_cast<std::size_t>(best.bin[f]);
            const CategorySplit split = root_split(number, best.missing_left[f] != 0, masses(rows, f));
            best.bin[f] = 0;
            best.missing_left[f] = split.missing_left;
            keep_set(best, f, split.set);
        }
    return best;
}

template <class Code>
Nodes best_trees(const Features<Code>& data, const double* u, std::size_t columns, int threads) {
    constexpr std::size_t few = 8;  // roots that are sooner evaluated one by one than surveyed again
    const Rows<Code> rows(data, u);
    const FixedPoint fixed = worth_fixing(rows) ? fixed_point(rows, threads) : FixedPoint{};
    Children children = survey(rows, fixed.weight.empty() ? nullptr : &fixed, all_of(data), threads);
    Splits best = best_of_each(rows, children);
    std::vector<Root> finalists;
    if (fixed.slack > 0.0) {
        const double top = *std::max_element(best.value.begin(), best.value.end());
        finalists = contenders(rows, children, top - 2.0 * fixed.slack);
        if (finalists.size() > few) {
            survey_again(rows, finalists, children, threads);
            best = best_of_each(rows, children);
            finalists.clear();
        }
    }
    std::vector<std::size_t> order(data.features);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto f, auto g) { return best.value[f] > best.value[g]; });
    order.resize(std::min(columns, order.size()));

    const std::size_t jobs = finalists.size() + order.size();
    std::vector<TwoLevels> grown(jobs);
    const double cost = 2.0 * static_cast<double>(rows.size() * (2 * order.size() + 2 * finalists.size() * data.features));
    parallel_for(jobs, threads_worth(cost, threads), [&](std::size_t job, std::size_t) {
        if (job < finalists.size()) {
            grown[job] = grow(rows, finalists[job], -1, -1);
            return;
        }
        const std::size_t f = order[job - finalists.size()];
        if (best.bin[f] < 0) return;  // a feature of one value has no split
        const Root root = root_at(rows, f, best.bin[f], best.missing_left[f] != 0);
        grown[job] = grow(rows, root, children.left.feature(root.at), children.right.feature(root.at));
    });
    // The best of the finalists stands for its root feature; then one tree for each other feature, best first.
    std::stable_sort(grown.begin(), grown.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    const std::int8_t sign = sign_of(std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0), 1);
    std::vector<std::uint8_t> taken(data.features, 0);
    Nodes nodes;
    for (const auto& tree : grown) {
        if (tree.bin < 0 || taken[static_cast<std::size_t>(tree.feature)] || nodes.roots.size() == columns) continue;
        taken[static_cast<std::size_t>(tree.feature)] = 1;
        add_tree(nodes, tree, sign);
    }
    if (!any_categorical(data)) nodes.subset.clear();
    return nodes;
}

template Splits best_stumps(const Features<std::uint8_t>&, const double*, int);
template Splits best_stumps(const Features<std::int32_t>&, const double*, int);
template Splits best_roots(const Features<std::uint8_t>&, const double*, int);
template Splits best_roots(const Features<std::int32_t>&, const double*, int);
template Nodes best_trees(const Features<std::uint8_t>&, const double*, std::size_t, int);
template Nodes best_trees(const Features<std::int32_t>&, const double*, std::size_t, int);

}  // namespace frankboost
