// Computes the entropy projection onto the capped simplex, in log space: Newton's method for one number, the
// normaliser, which starts from a sample of the rows and takes few vectorised passes. Sums are exact in any order
// (projection.hpp). Reference: project of tests/reference.py, by sorting.
#include "projection.hpp"

#include <numeric>

namespace frankboost {
namespace {

constexpr std::size_t lanes = 8;  // partial sums, so that the order does not depend on the vectors of the machine
typedef double Wide __attribute__((vector_size(lanes * sizeof(double))));
typedef Wide InMemory __attribute__((aligned(sizeof(double)), may_alias));

FRANKBOOST_INLINE double sum_of(const Wide& v) {
    double total = 0.0;
    for (std::size_t lane = 0; lane < lanes; ++lane) total += v[lane];
    return total;
}

FRANKBOOST_VECTORISED void exponentials(const double* key, std::size_t rows, double shift, double* power) {
    for (std::size_t i = 0; i < rows; ++i) {
        const double below = key[i] - shift;
        power[i] = exp_negative(below < 0.0 ? below : 0.0);
    }
}

// key = start - eta * margin
FRANKBOOST_VECTORISED void shift_margins(const double* margins, std::size_t rows, double start, double eta,
                                         double* key) {
    for (std::size_t i = 0; i < rows; ++i) key[i] = start - eta * margins[i];
}

FRANKBOOST_VECTORISED double largest_size(const double* key, std::size_t rows) {
    Wide most = {};
    const std::size_t whole = rows / lanes * lanes;
    for (std::size_t i = 0; i < whole; i += lanes) {
        const Wide k = *reinterpret_cast<const InMemory*>(key + i), size = k < 0.0 ? -k : k;
        most = size > most ? size : most;
    }
    double largest = 0.0;
    for (std::size_t lane = 0; lane < lanes; ++lane) largest = std::max<double>(largest, most[lane]);
    for (std::size_t i = whole; i < rows; ++i) largest = std::max(largest, std::fabs(key[i]));
    return largest;
}

FRANKBOOST_VECTORISED void extremes_of(const double* margins, std::size_t rows, double& low, double& high) {
    Wide least = Wide{} + infinity, most = Wide{} - infinity;
    const std::size_t whole = rows / lanes * lanes;
    for (std::size_t i = 0; i < whole; i += lanes) {
        const Wide margin = *reinterpret_cast<const InMemory*>(margins + i);
        least = margin < least ? margin : least;
        most = margin > most ? margin : most;
    }
    low = infinity;
    high = -infinity;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        low = std::min<double>(low, least[lane]);
        high = std::max<double>(high, most[lane]);
    }
    for (std::size_t i = whole; i < rows; ++i) {
        low = std::min(low, margins[i]);
        high = std::max(high, margins[i]);
    }
}

// Calls work(first row, number of rows, sums) for each block, and adds up the sums.
template <class Work>
KeySums sum_blocks(const Blocks& blocks, Work&& work) {
    std::vector<KeySums> part(blocks.count());
    blocks.for_each([&](std::size_t b, std::size_t at, std::size_t count) { work(at, count, part[b]); });
    KeySums total;
    for (const KeySums& each : part) {
        total.capped.add(each.capped);
        total.free.add(each.free);
        total.top = std::max(total.top, each.top);
    }
    return total;
}

FRANKBOOST_INLINE void take_lanes(const ExactSum<Wide>& wide, ExactSum<double>& out) {
    out = {sum_of(wide.high), sum_of(wide.low)};
}

// The sums of s_i over the capped rows and of s_i power_i over the others.
FRANKBOOST_VECTORISED void sum_rows(const double* key, const double* power, const double* weight, std::size_t rows,
                                    double limit, const Terms& of_capped, const Terms& of_free, KeySums& out) {
    const Terms capped_terms = of_capped, free_terms = of_free;
    const Wide none = {}, least = none - infinity;
    ExactSum<Wide> capped, free;
    Wide top = least;
    const std::size_t whole = rows / lanes * lanes;
    for (std::size_t i = 0; i < whole; i += lanes) {
        const Wide k = *reinterpret_cast<const InMemory*>(key + i), s = *reinterpret_cast<const InMemory*>(weight + i);
        const Wide p = *reinterpret_cast<const InMemory*>(power + i);
        capped.add(k >= limit ? s : none, capped_terms);
        free.add(k >= limit ? none : s * p, free_terms);
        const Wide candidate = k >= limit ? least : k;
        top = candidate > top ? candidate : top;
    }
    take_lanes(capped, out.capped);
    take_lanes(free, out.free);
    out.top = -infinity;
    for (std::size_t lane = 0; lane < lanes; ++lane) out.top = std::max<double>(out.top, top[lane]);
    for (std::size_t i = whole; i < rows; ++i) {
        if (key[i] >= limit) {
            out.capped.add(weight[i], capped_terms);
        } else {
            out.free.add(weight[i] * power[i], free_terms);
            out.top = std::max(out.top, key[i]);
        }
    }
}

// d is the powers first, and then the distribution.
FRANKBOOST_VECTORISED void fill_rows(const double* key, const double* caps, std::size_t rows, double limit,
                                     double scale, const Magics& of_keys, const Magics& of_mass, double* d,
                                     KeySums& paid) {
    for (std::size_t i = 0; i < rows; ++i) {
        const double free = caps[i] * d[i] * scale;
        d[i] = key[i] >= limit || free > caps[i] ? caps[i] : free;
    }
    const Magics keys = of_keys, masses = of_mass;
    const Wide none = {};
    ExactSum<Wide> capped, free;
    const std::size_t whole = rows / lanes * lanes;
    for (std::size_t i = 0; i < whole; i += lanes) {
        const Wide k = *reinterpret_cast<const InMemory*>(key + i), mass = *reinterpret_cast<const InMemory*>(d + i);
        capped.add(k >= limit ? mass * k : none, keys);
        free.add(k >= limit ? none : mass, masses);
    }
    take_lanes(capped, paid.capped);
    take_lanes(free, paid.free);
    for (std::size_t i = whole; i < rows; ++i) {
        if (key[i] >= limit)
            paid.capped.add(d[i] * key[i], keys);
        else
            paid.free.add(d[i], masses);
    }
}

// A start for Newton's method that is at least t for a sample of the rows, and close to it. The rows are counted in
// buckets of keys. Replacing each key by the upper end of its bucket makes the sum, and so t, larger. The search goes
// on in narrower buckets next to the result, until they are narrow. `whole` is what the projected weights should sum
// to.
double start_above(const std::vector<double>& key, const std::vector<double>& caps, double whole) {
    constexpr std::size_t buckets = 256;
    constexpr double narrow = 1.0, negligible = 60.0;  // e^-60
    double low = *std::min_element(key.begin(), key.end()), high = *std::max_element(key.begin(), key.end());
    for (;;) {
        const double width = (high - low) / buckets;
        const double factor = width > 0.0 ? 1.0 / width : 0.0;
        double mass[buckets] = {}, above = 0.0;
        for (std::size_t i = 0; i < key.size(); ++i) {
            const double place = std::max((key[i] - low) * factor, 0.0);  // keys below `low` count as `low`
            if (key[i] > high)
                above += caps[i];
            else
                mass[std::min(static_cast<std::size_t>(place), buckets - 1)] += caps[i];
        }
        // below[b] = the sum over the buckets up to b, for t at the upper end of b
        double below[buckets], sum = 0.0;
        const double fade = exp_negative(-width);
        for (std::size_t b = 0; b < buckets; ++b) below[b] = sum = sum * fade + mass[b];
        std::size_t found = buckets;
        for (double capped = above; found > 0 && capped + below[found - 1] <= whole; --found) capped += mass[found - 1];
        if (found == buckets) return above < whole ? high + log_positive(std::max(sum / (whole - above), 1.0)) : high;
        const double end = low + width * static_cast<double>(found + 1);
        if (!(width > narrow)) return end;
        high = std::min(high, end);
        low = high - 2.0 * width - negligible;
    }
}

}  // namespace

std::pair<double, double> extremes(const double* margins, std::size_t rows, int threads) {
    const Blocks blocks(rows, threads);
    std::vector<double> low(blocks.count()), high(blocks.count());
    blocks.for_each(
        [&](std::size_t b, std::size_t at, std::size_t count) { extremes_of(margins + at, count, low[b], high[b]); });
    return {*std::min_element(low.begin(), low.end()), *std::max_element(high.begin(), high.end())};
}

void projection_keys(const double* margins, std::size_t rows, double start, double eta, double* key, int threads) {
    Blocks(rows, threads).for_each([&](std::size_t, std::size_t at, std::size_t count) {
        shift_margins(margins + at, count, start, eta, key + at);
    });
}

void projection_powers(const double* key, std::size_t rows, double shift, double* power, int threads) {
    Blocks(rows, threads).for_each([&](std::size_t, std::size_t at, std::size_t count) {
        exponentials(key + at, count, shift, power + at);
    });
}

KeySums projection_sums(const double* key, const double* power, const double* weight, std::size_t rows, double limit,
                        const Terms& of_capped, const Terms& of_free, int threads) {
    return sum_blocks(Blocks(rows, threads), [&](std::size_t at, std::size_t count, KeySums& out) {
        sum_rows(key + at, power + at, weight + at, count, limit, of_capped, of_free, out);
    });
}

double largest_key(const double* key, std::size_t rows, int threads) {
    const Blocks blocks(rows, threads);
    std::vector<double> sizes(blocks.count());
    blocks.for_each(
        [&](std::size_t b, std::size_t at, std::size_t count) { sizes[b] = largest_size(key + at, count); });
    return *std::max_element(sizes.begin(), sizes.end());
}

std::pair<KeySums, double> fill_on_grid(const double* key, const double* power, const double* caps, const double* units,
                                        std::size_t rows, double limit, double scale, const Magics& of_keys,
                                        const Magics& of_mass, double* d, int threads) {
    const Blocks blocks(rows, threads);
    std::vector<double> sums(blocks.count());
    const auto work = [&](std::size_t at, std::size_t count, KeySums& out) {
        std::copy_n(power + at, count, d + at);
        fill_rows(key + at, caps + at, count, limit, scale, of_keys, of_mass, d + at, out);
    };
    const KeySums paid = sum_blocks(blocks, work);
    blocks.for_each(
        [&](std::size_t b, std::size_t at, std::size_t count) { sums[b] = round_to_grid(d + at, units + at, count); });
    return {paid, std::accumulate(sums.begin(), sums.end(), 0.0)};
}

double projection_start(const double* key, const double* weight, std::size_t rows, double nu, bool sampled) {
    const std::vector<double> keys(key, key + rows), masses(weight, weight + rows);
    // A sample errs by a few hundredths; a start above t is better than one below.
    return start_above(keys, masses, nu * std::accumulate(weight, weight + rows, 0.0)) + (sampled ? 0.1 : 0.0);
}

// Sets a new shift of the powers, at most the limit. If the limit is at or above t, a free term is at most
// whole * exp(limit - shift), which sets how terms are rounded.
void ProjectionSteps::move_shift(double to) {
    shift = to;
    fresh = true;
    free = Terms(whole_ / exp_negative(shift - limit), total_, rows_);
}

std::optional<double> ProjectionSteps::next(double at_caps, double below_caps, double top) {
    const double rest = std::max(whole_ - at_caps, 0.0);
    fresh = false;
    if (below_ && at_caps + below_caps > whole_) {
        // The sum is concave in exp(-t), so that Newton's step from below t ends above it, unless a term was cut off.
        const double before = limit, newton = rest > 0.0 ? shift - log_positive(rest / below_caps) : limit;
        below_ = rest == 0.0 || below_caps >= free.heaviest;
        limit = below_ ? std::max(newton, limit + jump_) : newton;
        jump_ *= 2.0;
        if (limit > before) {
            move_shift(limit);
            return {};
        }
        limit = before;
    }
    below_ = false;
    if (top == -infinity || rest == 0.0) return 0.0;
    // Far above t the sum of the free rows is so small that its rounding matters; the powers then get a lower shift.
    const double hidden = rows_ * free.magic.fine * 0x1p-53;
    if (rest > 1024.0 * (below_caps + hidden)) {
        limit = std::min(limit, shift - log_positive(rest / (below_caps + hidden)));
        move_shift(std::min(limit, top));
        return {};
    }
    if (below_caps == 0.0) return 0.0;
    const double scale = rest / below_caps, reached = shift - log_positive(scale);
    if (!(top >= reached && reached < limit)) return scale;
    limit = reached;
    return {};
}

double ProjectionSteps::value(double scale, double paid_capped, double paid_free, double eta) const {
    // ln(c/q) = -(key + eta margin)
    return (scale > 0.0 ? paid_free * (log_positive(scale) - shift) - paid_capped : -paid_capped) / eta;
}

// The minimiser is d_i = c_i min(1, exp(k_i - t)) with keys k_i = ln(q_i / c_i) - eta * margin_i and t such that the
// sum is 1. That sum is concave, increasing and piecewise linear in s = exp(-t). So Newton's method never overshoots if
// it starts at or above the true t, and it ends with the exact s as soon as no further row reaches its cap.
double project(const double* margins, const Weighted& examples, double eta, double* distribution, int threads) {
    const auto& [weight, caps, rows, nu, total] = examples;
    const Space<double> space = space_for<double>(rows);
    double *const key = space.get(), *const power = distribution;
    projection_keys(margins, rows, log_positive(nu), eta, key, threads);
    const std::size_t stride = sample_stride(rows);
    std::vector<double> keys, weights;
    for (std::size_t i = 0; i < rows; i += stride) {
        keys.push_back(key[i]);
        weights.push_back(weight[i]);
    }
    ProjectionSteps steps(projection_start(keys.data(), weights.data(), keys.size(), nu, stride > 1), rows, nu, total);
    std::optional<double> scale;
    while (!scale) {
        if (steps.fresh) projection_powers(key, rows, steps.shift, power, threads);
        const KeySums sums = projection_sums(key, power, weight, rows, steps.limit, steps.capped, steps.free, threads);
        scale = steps.next(value_of(sums.capped), value_of(sums.free), sums.top);
    }
    const auto count = static_cast<double>(rows);
    const Magics of_keys(largest_key(key, rows, threads), count), of_mass(1.0, count);
    const KeySums paid = sum_blocks(Blocks(rows, threads), [&](std::size_t at, std::size_t n, KeySums& out) {
        fill_rows(key + at, caps + at, n, steps.limit, *scale, of_keys, of_mass, distribution + at, out);
    });
    return steps.value(*scale, value_of(paid.capped), value_of(paid.free), eta);
}

}  // namespace frankboost
