// Computes e^x and ln x with the same bits on every machine, which the C library does not promise. Without branches and
// calls, loops over e^x vectorise. Reference: np.log and np.exp in tests/test_native.py and
// tests/rooms/test_simplex.py.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "parallel.hpp"

namespace frankboost {

// e^x for x <= 0, to the last bit or two: x = n ln 2 + r with |r| <= ln(2)/2, and a Taylor polynomial in r.
FRANKBOOST_INLINE double exp_negative(double x) {
    constexpr double log2e = 1.4426950408889634, ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
    constexpr double magic = 0x1.8p52;  // adding it rounds to an integer, which is then in the low bits
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
    std::uint64_t bits, power;
    std::memcpy(&bits, &p, sizeof bits);
    std::memcpy(&power, &shifted, sizeof power);
    bits += power << 52;  // times 2^n
    double result;
    std::memcpy(&result, &bits, sizeof result);
    return x < -708.0 ? 0.0 : result;
}

// The same in single precision.
FRANKBOOST_INLINE float exp_negative(float x) {
    constexpr float log2e = 1.442695041f, ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
    constexpr float magic = 0x1.8p23f;
    const float clamped = x < -87.0f ? -87.0f : x;
    const float shifted = clamped * log2e + magic, n = shifted - magic;
    const float r = (clamped - n * ln2_high) - n * ln2_low;
    float p = 1.0f / 5040.0f;
    p = p * r + 1.0f / 720.0f;
    p = p * r + 1.0f / 120.0f;
    p = p * r + 1.0f / 24.0f;
    p = p * r + 1.0f / 6.0f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    std::uint32_t bits, power;
    std::memcpy(&bits, &p, sizeof bits);
    std::memcpy(&power, &shifted, sizeof power);
    bits += power << 23;
    float result;
    std::memcpy(&result, &bits, sizeof result);
    return x < -87.0f ? 0.0f : result;
}

// ln x for finite x > 0, to the last bit or two: x = m 2^n with m next to 1, and with s = (m - 1) / (m + 1) the series
// ln m = 2 (s + s^3/3 + s^5/5 + ...).
inline double log_positive(double x) {
    constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33, root_half = 0x1.6a09e667f3bcdp-1;
    int n = 0;
    double m = std::frexp(x, &n);
    if (m < root_half) {
        m *= 2.0;
        --n;
    }
    const double s = (m - 1.0) / (m + 1.0), square = s * s;
    double series = 0.0;
    for (int k = 25; k >= 3; k -= 2) series = (series + 1.0 / k) * square;
    return n * ln2_high + (2.0 * s * (1.0 + series) + n * ln2_low);
}

}  // namespace frankboost
