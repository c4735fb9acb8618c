// The entropy projection onto the capped simplex, in log space.
#include <cstring>
#include <numeric>

#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

constexpr std::size_t lanes = 8;  // partial sums: a fixed order, whatever the vector width
typedef double Wide __attribute__((vector_size(lanes * sizeof(double)), aligned(sizeof(double)), may_alias));

FRANKBOOST_INLINE double sum_of(const Wide& v) {
    double total = 0.0;
    for (std::size_t lane = 0; lane < lanes; ++lane) total += v[lane];
    return total;
}

// e^x for x <= 0, to the last bit or two: x = n ln 2 + r with |r| <= ln(2)/2 and a Taylor polynomial in r. Free of
// branches and calls, so that it vectorises, and the same on every machine, which the C library's is not.
FRANKBOOST_INLINE double exp_negative(double x) {
    constexpr double log2e = 1.4426950408889634, ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
    constexpr double magic = 0x1.8p52;  // adding it rounds to an integer, which then stands in the low bits
    const double clamped = x < -708.0 ? -708.0 : x;
    const double shifted = clamped * log2e + magic, n = shifted - magic;
    const double r = (clamped - n * ln2_high) - n * ln2_low;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    std::uint64_t bits, power;  // a negative power has its highest bits shifted out
    std::memcpy(&bits, &p, sizeof bits);
    std::memcpy(&power, &shifted, sizeof power);
    bits += power << 52;  // times 2^n
    double result;
    std::memcpy(&result, &bits, sizeof result);
    return x < -708.0 ? 0.0 : result;
}

FRANKBOOST_VECTORISED void exponentials(const double* key, std::size_t rows, double shift, double* power) {
    for (std::size_t i = 0; i < rows; ++i) {
        const double below = key[i] - shift;
        power[i] = exp_negative(below < 0.0 ? below : 0.0);
    }
}

// key = start - eta * margin, and whether all rows have the given ratio of prior to cap.
FRANKBOOST_VECTORISED bool shift_margins(const double* margins, const double* prior, const double* caps,
                                         std::size_t rows, double ratio, double start, double eta, double* key) {
    std::size_t different = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        different += prior[i] / caps[i] != ratio;
        key[i] = start - eta * margins[i];
    }
    return different == 0;
}

struct Sums {
    double capped = 0.0;     // mass of the rows with a key at or above the limit, which are at their cap
    double free = 0.0;       // sum of c_i power_i over the others
    double top = -infinity;  // and their largest key
};

// work(first row, how many, sums), block by block.
template <class Work>
Sums sum_blocks(const Blocks& blocks, Work&& work) {
    std::vector<Sums> part(blocks.count());
    blocks.each([&](std::size_t b, std::size_t at, std::size_t count) { work(at, count, part[b]); });
    Sums total;
    for (const Sums& each : part) {
        total.capped += each.capped;
        total.free += each.free;
        total.top = std::max(total.top, each.top);
    }
    return total;
}

FRANKBOOST_VECTORISED void sum_rows(const double* key, const double* power, const double* caps, std::size_t rows,
                                    double limit, Sums& out) {
    const Wide none = {}, least = none - infinity;
    Wide capped = none, free = none, top = least;
    const std::size_t whole = rows / lanes * lanes;
    for (std::size_t i = 0; i < whole; i += lanes) {
        const Wide k = *reinterpret_cast<const Wide*>(key + i), c = *reinterpret_cast<const Wide*>(caps + i);
        const Wide p = *reinterpret_cast<const Wide*>(power + i);
        capped += k >= limit ? c : none;
        free += k >= limit ? none : c * p;
        const Wide candidate = k >= limit ? least : k;
        top = candidate > top ? candidate : top;
    }
    out = Sums{sum_of(capped), sum_of(free), -infinity};
    for (std::size_t lane = 0; lane < lanes; ++lane) out.top = std::max<double>(out.top, top[lane]);
    for (std::size_t i = whole; i < rows; ++i) {
        if (key[i] >= limit) {
            out.capped += caps[i];
        } else {
            out.free += caps[i] * power[i];
            out.top = std::max(out.top, key[i]);
        }
    }
}

// The distribution itself; in `paid`, sum of c_i k_i over the capped rows and of d_i over the free ones.
FRANKBOOST_VECTORISED void fill_distribution(const double* key, const double* power, const double* caps,
                                             std::size_t rows, double limit, double scale, double* d, Sums& paid) {
    for (std::size_t i = 0; i < rows; ++i) {
        const double free = caps[i] * power[i] * scale;
        d[i] = key[i] >= limit || free > caps[i] ? caps[i] : free;
    }
    const Wide none = {};
    Wide capped = none, free = none;
    const std::size_t whole = rows / lanes * lanes;
    for (std::size_t i = 0; i < whole; i += lanes) {
        const Wide k = *reinterpret_cast<const Wide*>(key + i), mass = *reinterpret_cast<const Wide*>(d + i);
        capped += k >= limit ? mass * k : none;
        free += k >= limit ? none : mass;
    }
    paid = Sums{sum_of(capped), sum_of(free), -infinity};
    for (std::size_t i = whole; i < rows; ++i) {
        if (key[i] >= limit)
            paid.capped += d[i] * key[i];
        else
            paid.free += d[i];
    }
}

// A start for Newton's method, from every `stride`-th row: with all of them no less than t, and close to it. Keys are
// counted in buckets, each key taken for the upper end of its bucket, which makes the sum larger and so t; then again
// in the buckets next to what was found, until they are narrow.
double start_above(const double* key, const double* caps, std::size_t rows, std::size_t stride) {
    constexpr std::size_t buckets = 256;
    constexpr double narrow = 1.0, negligible = 60.0;  // e^-60
    double low = key[0], high = key[0], total = 0.0;
    for (std::size_t i = 0; i < rows; i += stride) {
        low = std::min(low, key[i]);
        high = std::max(high, key[i]);
        total += caps[i];
    }
    const double whole =
        stride == 1 ? 1.0 : total / std::accumulate(caps, caps + rows, 0.0);  // what should add up to 1
    for (;;) {
        const double width = (high - low) / buckets;
        const double factor = width > 0.0 ? 1.0 / width : 0.0;
        double mass[buckets] = {}, above = 0.0;
        for (std::size_t i = 0; i < rows; i += stride) {
            const double place = std::max((key[i] - low) * factor, 0.0);  // rows below are taken for larger ones
            if (key[i] > high)
                above += caps[i];
            else
                mass[std::min(static_cast<std::size_t>(place), buckets - 1)] += caps[i];
        }
        // below[b]: the sum over the buckets up to b with t at the upper end of b
        double below[buckets], sum = 0.0;
        const double fade = std::exp(-width);
        for (std::size_t b = 0; b < buckets; ++b) below[b] = sum = sum * fade + mass[b];
        std::size_t found = buckets;
        for (double capped = above; found > 0 && capped + below[found - 1] <= whole; --found) capped += mass[found - 1];
        if (found == buckets) return above < whole ? high + std::log(std::max(sum / (whole - above), 1.0)) : high;
        const double end = low + width * static_cast<double>(found + 1);
        if (!(width > narrow)) return end;
        high = std::min(high, end);
        low = high - 2.0 * width - negligible;
    }
}

}  // namespace

// The minimiser is d_i = c_i min(1, exp(k_i - t)) with keys k_i = ln(q_i / c_i) - eta * margin_i and t such that the
// sum is 1. That sum is concave, increasing and piecewise linear in s = exp(-t), so Newton's method started at or above
// the true t never overshoots and ends, exactly, as soon as no further row reaches its cap.
double project(const double* margins, const double* prior, const double* caps, std::size_t rows, double eta,
               double* distribution, int threads) {
    const Blocks blocks(rows, threads);
    std::vector<double> key(rows), power(rows);
    const double ratio = prior[0] / caps[0];
    blocks.each([&](std::size_t, std::size_t at, std::size_t count) {
        // The logarithm is the same for all rows as a rule, and costs as much as all else.
        if (shift_margins(margins + at, prior + at, caps + at, count, ratio, std::log(ratio), eta, key.data() + at))
            return;
        for (std::size_t i = at; i < at + count; ++i) key[i] = std::log(prior[i] / caps[i]) - eta * margins[i];
    });
    const std::size_t stride = std::max<std::size_t>(1, rows / 2048);
    // Rows with a key at or above the limit are at their cap. A sample errs by a few hundredths; better upwards.
    double limit = start_above(key.data(), caps, rows, stride) + (stride > 1 ? 0.1 : 0.0);
    double shift = limit, scale = 0.0;
    bool fresh = true;        // power[i] = exp(key[i] - shift) has still to be computed
    bool below = stride > 1;  // the start may be below t
    for (;;) {
        const Sums sums = sum_blocks(blocks, [&](std::size_t at, std::size_t count, Sums& out) {
            if (fresh) exponentials(key.data() + at, count, shift, power.data() + at);
            sum_rows(key.data() + at, power.data() + at, caps + at, count, limit, out);
        });
        fresh = false;
        if (below) {
            below = false;
            if (sums.capped + sums.free > 1.0) {
                shift = limit = start_above(key.data(), caps, rows, 1);
                fresh = true;
                continue;
            }
        }
        if (sums.top == -infinity) {  // every row is at its cap
            scale = 0.0;
            break;
        }
        if (sums.top < shift - 500.0) {  // all that is free would vanish beside the rows that are now capped
            shift = sums.top;
            fresh = true;
            continue;
        }
        scale = std::max(1.0 - sums.capped, 0.0) / sums.free;
        const double reached = scale > 0.0 ? shift - std::log(scale) : infinity;
        if (sums.top < reached) break;
        limit = reached;
    }
    // ln(c/q) = -(key + eta margin)
    const Sums paid = sum_blocks(blocks, [&](std::size_t at, std::size_t count, Sums& out) {
        fill_distribution(key.data() + at, power.data() + at, caps + at, count, limit, scale, distribution + at, out);
    });
    const double value = scale > 0.0 ? paid.free * (std::log(scale) - shift) - paid.capped : -paid.capped;
    return value / eta;
}

}  // namespace frankboost
