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
// Both add doubles in an order fixed by the data alone, and the maximum over children is order-free: the same answer
// for every number of threads.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Pay-off of the best stump over rows with prefix sums in [low, high], non-missing sum `present`, missing sum `absent`.
FRANKBOOST_INLINE double stump_value(double high, double low, double present, double absent) {
    const double sum = present + absent;
    const double most = 2.0 * (high + std::max(absent, 0.0)) - sum;
    const double least = sum - 2.0 * (low + std::min(absent, 0.0));
    return std::max(std::fabs(sum), std::max(most, least));
}

// The rows that carry weight, and where each feature's roots are stored: position[f] + variant * bins[f] + bin, with
// variant 1 for missing values sent left.
template <class Code>
struct Rows {
    std::vector<Code> compact;
    std::vector<double> weight;
    std::vector<const Code*> codes;
    std::vector<std::size_t> position;
    const Features<Code>& data;

    Rows(const Features<Code>& features, const double* u) : codes(features.features), data(features) {
        std::vector<std::uint32_t> kept;
        for (std::size_t i = 0; i < data.rows; ++i)
            if (u[i] != 0.0) kept.push_back(static_cast<std::uint32_t>(i));
        weight.reserve(kept.size());
        for (auto i : kept) weight.push_back(u[i]);
        const bool all = kept.size() == data.rows;
        if (!all) compact.resize(kept.size() * data.features);
        for (std::size_t f = 0; f < data.features; ++f) {
            const Code* source = data.codes + f * data.rows;
            if (!all) {
                Code* target = compact.data() + f * kept.size();
                for (std::size_t i = 0; i < kept.size(); ++i) target[i] = source[kept[i]];
                source = target;
            }
            codes[f] = source;
        }
        position.resize(data.features + 1, 0);
        for (std::size_t f = 0; f < data.features; ++f)
            position[f + 1] = position[f] + static_cast<std::size_t>(bins(f)) * variants(f);
    }

    std::size_t size() const { return weight.size(); }
    std::int32_t bins(std::size_t f) const { return data.bins[f]; }
    std::size_t variants(std::size_t f) const { return data.missing[f] ? 2 : 1; }
};

template <class Code>
std::vector<double> histogram(const Rows<Code>& rows, std::size_t f) {
    std::vector<double> sums(static_cast<std::size_t>(rows.bins(f)) + 1, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) sums[rows.codes[f][i]] += rows.weight[i];
    return sums;
}

// Best pay-offs of a child left and right of every root split, over all child features seen so far.
struct Children {
    std::vector<double> left, right;
    explicit Children(std::size_t size) : left(size, 0.0), right(size, 0.0) {}
    void offer(std::size_t at, double left_value, double right_value) {
        left[at] = std::max(left[at], left_value);
        right[at] = std::max(right[at], right_value);
    }
    void merge(const Children& other) {
        for (std::size_t i = 0; i < left.size(); ++i) offer(i, other.left[i], other.right[i]);
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
            children.offer(rows.position[f] + variant * bins + t,
                           stump_value(left_high, left_low, prefix[t], left_absent),
                           stump_value(right_high, right_low, total - prefix[t], right_absent));
        }
    }
}

// ---------------------------------------------------------------------------------------------------------- tables
constexpr std::size_t lanes = 8;
typedef double Lanes __attribute__((vector_size(lanes * sizeof(double))));

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
    double high_left = -infinity, low_left = infinity, high_right = -infinity, low_right = infinity;
};

// Extremes over k of c[k] + a[k] and of total[k] - c[k]. Vectors are spelled out, since no compiler may reorder a
// reduction by itself; a vector wider than the machine's is split.
FRANKBOOST_VECTORISED void extremes_along(const double* c, const double* a, const double* total, std::size_t count,
                                          Extremes& out) {
    Lanes hl, ll, hr, lr;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        hl[lane] = hr[lane] = -infinity;
        ll[lane] = lr[lane] = infinity;
    }
    std::size_t k = 0;
    for (; k + lanes <= count; k += lanes) {
        Lanes here, add, all;
        std::memcpy(&here, c + k, sizeof(Lanes));
        std::memcpy(&add, a + k, sizeof(Lanes));
        std::memcpy(&all, total + k, sizeof(Lanes));
        const Lanes left = here + add, right = all - here;
        hl = left > hl ? left : hl;
        ll = left < ll ? left : ll;
        hr = right > hr ? right : hr;
        lr = right < lr ? right : lr;
    }
    for (; k < count; ++k) {
        const double left = c[k] + a[k], right = total[k] - c[k];
        hl[0] = std::max(hl[0], left);
        ll[0] = std::min(ll[0], left);
        hr[0] = std::max(hr[0], right);
        lr[0] = std::min(lr[0], right);
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        out.high_left = std::max(out.high_left, hl[lane]);
        out.low_left = std::min(out.low_left, ll[lane]);
        out.high_right = std::max(out.high_right, hr[lane]);
        out.low_right = std::min(out.low_right, lr[lane]);
    }
}

// Per column k, extremes so far of c[k] + added and of total - c[k].
FRANKBOOST_VECTORISED void extremes_down(const double* c, double added, double total, std::size_t count,
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
void scatter(const Rows<Code>& rows, std::size_t f, std::size_t g, Table& table) {
    const Code *cf = rows.codes[f], *cg = rows.codes[g];
    const double* u = rows.weight.data();
    double* cell = table.cell.data();
    const std::size_t stride = table.stride, size = rows.size();
    for (std::size_t i = 0; i < size; ++i) cell[cf[i] * stride + cg[i]] += u[i];
}

template <class Code>
void pair_by_table(const Rows<Code>& rows, std::size_t f, std::size_t g, Table& table, Children& children) {
    const std::size_t F = rows.bins(f), G = rows.bins(g);
    table.shape(F, G);
    scatter(rows, f, g, table);
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
                rows.position[f] + variant * F + t, stump_value(seen.high_left, seen.low_left, present, absent),
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
            children.offer(rows.position[g] + variant * G + k,
                           stump_value(table.high_left[variant][k], table.low_left[variant][k], present, absent),
                           stump_value(table.high_right[variant][k], table.low_right[variant][k],
                                       both + only_f - present, only_g + neither - absent));
        }
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
            children.left[base + t] = std::max(children.left[base + t], prefixes.value());
        }
        prefixes.clear(G);
        if (variant == 0) enter(F);
        for (std::size_t t = F - 1; t-- > 0;) {
            enter(t + 1);
            children.right[base + t] = std::max(children.right[base + t], prefixes.value());
        }
    }
}

// ---------------------------------------------------------------------------------------------------------- search
// Rough costs in nanoseconds, measured; only the choice between two exact methods, and how many threads are worth
// starting, hang on them.
template <class Code>
double table_cost(const Rows<Code>& rows, std::size_t f, std::size_t g) {
    const double F = rows.bins(f), G = rows.bins(g);
    return F > 256 || G > 256 ? infinity : 2.0 * static_cast<double>(rows.size()) + 1.0 * F * G;
}

template <class Code>
double sweep_cost(const Rows<Code>& rows, std::size_t f, std::size_t g) {
    const double levels = std::log2(rows.bins(f)) + std::log2(rows.bins(g));
    return 2.0 * static_cast<double>(rows.size()) * (4.0 + 2.0 * levels);
}

void keep_better(Splits& best, std::size_t f, double value, std::int32_t bin, bool missing_left) {
    if (value > best.value[f]) {
        best.value[f] = value;
        best.bin[f] = bin;
        best.missing_left[f] = missing_left;
    }
}

}  // namespace

template <class Code>
Splits best_stumps(const Features<Code>& data, const double* u, int threads) {
    const Rows<Code> rows(data, u);
    Splits best(data.features);
    const int workers = threads_worth(1.5 * static_cast<double>(rows.size() * data.features), threads);
    parallel_for(data.features, workers, [&](std::size_t f, std::size_t) {
        const auto sums = histogram(rows, f);
        const auto bins = rows.bins(f);
        double present = 0.0, prefix = 0.0;
        for (std::int32_t t = 0; t < bins; ++t) present += sums[t];
        const double absent = sums[bins], sum = present + absent;
        keep_better(best, f, std::fabs(sum), -1, false);
        for (std::int32_t t = 0; t + 1 < bins; ++t) {
            prefix += sums[t];
            keep_better(best, f, std::fabs(2.0 * prefix - sum), t, false);
            keep_better(best, f, std::fabs(2.0 * (prefix + absent) - sum), t, true);
        }
    });
    return best;
}

template <class Code>
Splits best_roots(const Features<Code>& data, const double* u, int threads) {
    const Rows<Code> rows(data, u);
    const std::size_t n = data.features;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    double cost = 0.0;
    for (std::size_t f = 0; f < n; ++f)
        for (std::size_t g = f; g < n; ++g)
            if (rows.bins(f) > 1 && rows.bins(g) > 1) {
                pairs.emplace_back(f, g);
                cost += std::min(table_cost(rows, f, g), sweep_cost(rows, f, g));
            }
    const auto workers = static_cast<std::size_t>(threads_worth(cost, threads));
    std::vector<Order> order(n);
    parallel_for(n, static_cast<int>(workers), [&](std::size_t f, std::size_t) { order[f] = sort_rows(rows, f); });
    std::vector<Children> children(workers, Children(rows.position[n]));
    std::vector<Table> tables(workers);
    std::vector<Prefixes> prefixes(workers);
    parallel_for(pairs.size(), static_cast<int>(workers), [&](std::size_t task, std::size_t worker) {
        const auto [f, g] = pairs[task];
        if (f == g) {
            same_feature(rows, f, children[worker]);
        } else if (table_cost(rows, f, g) < sweep_cost(rows, f, g)) {
            pair_by_table(rows, f, g, tables[worker], children[worker]);
        } else {
            pair_by_sweep(rows, f, g, order[f], prefixes[worker], children[worker]);
            pair_by_sweep(rows, g, f, order[g], prefixes[worker], children[worker]);
        }
    });
    for (std::size_t worker = 1; worker < workers; ++worker) children[0].merge(children[worker]);

    Splits best(n);
    for (std::size_t f = 0; f < n; ++f)
        for (std::int32_t t = 0; t + 1 < rows.bins(f); ++t)
            for (std::size_t variant = 0; variant < rows.variants(f); ++variant) {
                const std::size_t at = rows.position[f] + variant * rows.bins(f) + t;
                keep_better(best, f, children[0].left[at] + children[0].right[at], t, variant == 1);
            }
    return best;
}

template Splits best_stumps(const Features<std::uint8_t>&, const double*, int);
template Splits best_stumps(const Features<std::int32_t>&, const double*, int);
template Splits best_roots(const Features<std::uint8_t>&, const double*, int);
template Splits best_roots(const Features<std::int32_t>&, const double*, int);

}  // namespace frankboost
