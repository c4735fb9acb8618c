// Distributions on the grid: multiples of 2^-52 that sum to 1. Integers of up to 2^53 are doubles, so sums of these
// over any rows, in any order, are exact.
#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

constexpr double one = 0x1p52;  // units in all

// units[i] = floor(d_i 2^52), at most the cap; returns their sum. An integer in this range stays as it is when 2^52 is
// added, and any other number is rounded, which vectorises as a call of floor does not.
FRANKBOOST_VECTORISED double round_down(const double* d, const double* caps, std::size_t rows, double* units) {
    for (std::size_t i = 0; i < rows; ++i) {
        const double exact = std::min(d[i] * one, one), rounded = (exact + one) - one;
        units[i] = std::min(rounded > exact ? rounded - 1.0 : rounded, caps[i]);
    }
    constexpr std::size_t lanes = 8;  // the sum is exact in any order
    double part[lanes] = {}, total = 0.0;
    std::size_t i = 0;
    for (; i + lanes <= rows; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) part[lane] += units[i + lane];
    for (; i < rows; ++i) total += units[i];
    for (double sum : part) total += sum;
    return total;
}

// Hand out what is left, evenly, to the rows that may take more; returns what nobody takes.
template <class Room>
double hand_out(double left, std::size_t rows, double* units, const Room& room) {
    while (left > 0.0) {
        std::size_t open = 0;
        for (std::size_t i = 0; i < rows; ++i) open += room(i) > 0.0;
        if (open == 0) break;
        const double share = std::max(1.0, std::floor(left / static_cast<double>(open)));
        for (std::size_t i = 0; i < rows && left > 0.0; ++i) {
            const double more = std::min({share, room(i), left});
            units[i] += more;
            left -= more;
        }
    }
    return left;
}

// Take a surplus back, evenly; returns it.
double take_back(double surplus, std::size_t rows, double* units) {
    for (double left = surplus; left > 0.0;) {
        const double share = std::max(1.0, std::floor(left / static_cast<double>(rows)));
        for (std::size_t i = 0; i < rows && left > 0.0; ++i) {
            const double less = std::min({share, units[i], left});
            units[i] -= less;
            left -= less;
        }
    }
    return surplus;
}

}  // namespace

void snap(const double* d, const double* caps, std::size_t rows, double* snapped) {
    double left = one - round_down(d, caps, rows, snapped);
    if (left < 0.0) left += take_back(-left, rows, snapped);
    // Rows without weight come last: each that gets some is one more row to search.
    left = hand_out(left, rows, snapped, [&](std::size_t i) { return snapped[i] > 0.0 ? caps[i] - snapped[i] : 0.0; });
    left = hand_out(left, rows, snapped, [&](std::size_t i) { return caps[i] - snapped[i]; });
    hand_out(left, rows, snapped, [&](std::size_t) { return left; });
    for (std::size_t i = 0; i < rows; ++i) snapped[i] *= 1.0 / one;  // exact: a power of two
}

}  // namespace frankboost
