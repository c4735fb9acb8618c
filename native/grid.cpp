// Rounds distributions to the grid, multiples of 2^-52 that sum to 1, within caps. Doubles hold whole numbers up to
// 2^53 exactly, so that sums over any rows, in any order, are exact. Reference: laws in tests/test_grid.py.
#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

constexpr double unit = 0x1p-52;

struct Rounded {
    double total = 0.0;
    std::size_t open = 0;  // the number of rows with weight that may take more
};

// snapped[i] = d_i rounded down, at most the cap, which is given in units. Adding 1 and subtracting it again rounds to
// the grid, and vectorises, which a call of floor does not.
FRANKBOOST_VECTORISED void round_down(const double* d, const double* caps, std::size_t rows, double* snapped,
                                      Rounded& out) {
    for (std::size_t i = 0; i < rows; ++i) {
        const double exact = std::min(d[i], 1.0), near = (exact + 1.0) - 1.0;
        snapped[i] = std::min(near > exact ? near - unit : near, caps[i] * unit);
    }
    constexpr std::size_t lanes = 8;
    double part[lanes] = {}, total = 0.0;
    std::size_t i = 0, open = 0;
    for (; i + lanes <= rows; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) part[lane] += snapped[i + lane];
    for (; i < rows; ++i) total += snapped[i];
    for (double sum : part) total += sum;
    for (i = 0; i < rows; ++i) open += (snapped[i] > 0.0) & (snapped[i] < caps[i] * unit);
    out = Rounded{total, open};
}

// How much more a row may take, if it is one of the takers.
FRANKBOOST_INLINE double room_of(Takers takers, double has, double cap) {
    if (takers == Takers::all) return 1.0;
    return takers == Takers::below_their_caps || has > 0.0 ? cap * unit - has : 0.0;
}

FRANKBOOST_VECTORISED std::size_t count_open(Takers takers, const double* caps, std::size_t rows,
                                             const double* snapped) {
    std::size_t open = 0;
    for (std::size_t i = 0; i < rows; ++i) open += room_of(takers, snapped[i], caps[i]) > 0.0;
    return open;
}

// Gives each row up to `share`, and returns the sum of what it gave.
FRANKBOOST_VECTORISED double give_all(Takers takers, const double* caps, std::size_t rows, double share,
                                      double* snapped) {
    double given = 0.0;
    for (std::size_t i = 0; i < rows; ++i) {
        const double more = std::min(share, room_of(takers, snapped[i], caps[i]));
        snapped[i] += more;
        given += more;
    }
    return given;
}

// Hands out `left` evenly to the rows that may take more, of which there are `open`; returns what is still left.
double hand_out(double left, Takers takers, std::size_t open, const double* caps, std::size_t rows, double* snapped) {
    constexpr std::size_t stretch = 1024;
    while (left > 0.0 && open > 0) {
        const double share = unit * std::max(1.0, std::floor(left / unit / static_cast<double>(open)));
        std::size_t i = 0;
        for (; i + stretch <= rows && left >= share * stretch; i += stretch)
            left -= give_all(takers, caps + i, stretch, share, snapped + i);
        for (; i < rows && left > 0.0; ++i) {
            const double more = std::min({share, room_of(takers, snapped[i], caps[i]), left});
            snapped[i] += more;
            left -= more;
        }
        if (left > 0.0) open = count_open(takers, caps, rows, snapped);
    }
    return left;
}

// Takes a surplus back, evenly from all rows.
void take_back(double surplus, std::size_t rows, double* snapped) {
    while (surplus > 0.0) {
        const double share = unit * std::max(1.0, std::floor(surplus / unit / static_cast<double>(rows)));
        for (std::size_t i = 0; i < rows && surplus > 0.0; ++i) {
            const double less = std::min({share, snapped[i], surplus});
            snapped[i] -= less;
            surplus -= less;
        }
    }
}

}  // namespace

double round_to_grid(double* d, const double* caps, std::size_t rows) {
    Rounded rounded;
    round_down(d, caps, rows, d, rounded);
    return rounded.total;
}

std::size_t open_rows(Takers takers, const double* caps, std::size_t rows, const double* d) {
    return count_open(takers, caps, rows, d);
}

double give_each(Takers takers, const double* caps, std::size_t rows, double share, double* d) {
    return give_all(takers, caps, rows, share, d);
}

void give_first(Takers takers, const double* caps, std::size_t rows, std::size_t count, double* d) {
    for (std::size_t i = 0; i < rows && count > 0; ++i)
        if (room_of(takers, d[i], caps[i]) > 0.0) {
            d[i] += unit;
            --count;
        }
}

void snap(const double* d, const double* caps, std::size_t rows, double* snapped, int threads) {
    const Blocks blocks(rows, threads_worth(2.0 * static_cast<double>(rows), threads));
    std::vector<Rounded> part(blocks.count());
    blocks.for_each([&](std::size_t b, std::size_t at, std::size_t count) {
        round_down(d + at, caps + at, count, snapped + at, part[b]);
    });
    double left = 1.0;
    std::size_t open = 0;
    for (const Rounded& each : part) {
        left -= each.total;
        open += each.open;
    }
    if (left < 0.0) return take_back(-left, rows, snapped);
    // Rows without weight come last, since each row that gets weight makes later searches longer.
    left = hand_out(left, Takers::with_weight, open, caps, rows, snapped);
    for (const Takers takers : {Takers::below_their_caps, Takers::all})
        if (left > 0.0) left = hand_out(left, takers, count_open(takers, caps, rows, snapped), caps, rows, snapped);
}

}  // namespace frankboost
