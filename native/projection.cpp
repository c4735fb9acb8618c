// The entropy projection onto the capped simplex, in log space.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels.hpp"

namespace frankboost {

// The minimiser is d_i = c_i min(1, s exp(k_i)) with keys k_i = ln(q_i / c_i) - eta * margin_i and s such that the
// sum is 1. That sum is concave, increasing and piecewise linear in s, so Newton's method started at the uncapped
// s never overshoots and ends, exactly, as soon as no further row reaches its cap.
double project(const double* margins, const double* prior, const double* caps, std::size_t rows, double eta,
               double* distribution) {
    std::vector<double> key(rows), power(rows);
    double shift = -std::numeric_limits<double>::infinity();
    double ratio = 0.0, log_ratio = 0.0;  // the same for all rows as a rule, and a logarithm costs as much as all else
    for (std::size_t i = 0; i < rows; ++i) {
        if (prior[i] / caps[i] != ratio) {
            ratio = prior[i] / caps[i];
            log_ratio = std::log(ratio);
        }
        key[i] = log_ratio - eta * margins[i];
        shift = std::max(shift, key[i]);
    }
    double limit = std::numeric_limits<double>::infinity();  // rows with a key at or above it are at their cap
    double capped = 0.0, scale = 0.0;
    bool fresh = true;  // power[i] = exp(key[i] - shift) has still to be computed
    for (;;) {
        if (fresh)
            for (std::size_t i = 0; i < rows; ++i) power[i] = key[i] < limit ? std::exp(key[i] - shift) : 0.0;
        fresh = false;
        double free = 0.0, top = -std::numeric_limits<double>::infinity();
        capped = 0.0;
        for (std::size_t i = 0; i < rows; ++i) {
            if (key[i] >= limit) {
                capped += caps[i];
            } else {
                free += caps[i] * power[i];
                top = std::max(top, key[i]);
            }
        }
        if (top == -std::numeric_limits<double>::infinity()) {  // every row is at its cap
            scale = 0.0;
            break;
        }
        if (top < shift - 8.0) {  // beside rows that are now capped, small free ones would lose their last digits
            shift = top;
            fresh = true;
            continue;
        }
        scale = std::max(1.0 - capped, 0.0) / free;
        const double reached = scale > 0.0 ? shift - std::log(scale) : std::numeric_limits<double>::infinity();
        if (top < reached) break;
        limit = reached;
    }
    double free_mass = 0.0, value = 0.0;
    for (std::size_t i = 0; i < rows; ++i) {
        if (key[i] >= limit) {
            distribution[i] = caps[i];
            // ln(c/q) = -(key + eta margin)
            value -= caps[i] * key[i] / eta;
        } else {
            distribution[i] = std::min(caps[i], caps[i] * power[i] * scale);
            free_mass += distribution[i];
        }
    }
    if (scale > 0.0) value += free_mass * (std::log(scale) - shift) / eta;
    return value;
}

}  // namespace frankboost
