// Computes the margins of many classes: the least margin of each row over the other classes, its soft minimum, and the
// division of a row's mass among the other classes. Loops run over blocks of rows for one class after the other, so
// that they vectorise; rows of mass 0 are skipped. Reference: NumPy in tests/rooms/test_joint_rows.py.
#include "exponentials.hpp"
#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

constexpr std::size_t block = 1024;  // rows whose numbers stay in the first-level cache

// own = the vote for each row's own class, top = the largest vote for another class.
FRANKBOOST_VECTORISED void own_and_top(const double* votes, const std::int64_t* code, std::size_t classes,
                                       std::size_t rows, std::size_t count, double* own, double* top) {
    for (std::size_t i = 0; i < count; ++i) top[i] = -infinity;
    for (std::size_t c = 0; c < classes; ++c) {
        const double* of_class = votes + c * rows;
        for (std::size_t i = 0; i < count; ++i) {
            const bool mine = code[i] == static_cast<std::int64_t>(c);
            own[i] = mine ? of_class[i] : own[i];
            top[i] = !mine && of_class[i] > top[i] ? of_class[i] : top[i];
        }
    }
}

// share = e^(half_eta (vote - top)) for each other class, 0 for the own class; sum = the sum of a row's shares.
FRANKBOOST_VECTORISED void shares_of(const double* votes, const std::int64_t* code, std::size_t classes,
                                     std::size_t rows, std::size_t count, const double* top, double half_eta,
                                     double* shares, double* sum) {
    for (std::size_t i = 0; i < count; ++i) sum[i] = 0.0;
    for (std::size_t c = 0; c < classes; ++c) {
        const double* of_class = votes + c * rows;
        double* out = shares + c * rows;
        for (std::size_t i = 0; i < count; ++i) {
            const double below = half_eta * (of_class[i] - top[i]);
            const double share = exp_negative(below < 0.0 ? below : 0.0);
            out[i] = code[i] == static_cast<std::int64_t>(c) ? 0.0 : share;
            sum[i] += out[i];
        }
    }
}

// Divides the mass of one row: each other class gets whole units, rounded down, and the class of the largest share also
// gets the rest.
void deal_row(const double* shares, std::int64_t own, std::size_t classes, std::size_t rows, double d, double* halves) {
    constexpr double units = 0x1p52, half = 0x1p-53;
    double total = 0.0, most = -1.0;
    std::size_t first = 0;
    for (std::size_t c = 0; c < classes; ++c) {
        if (static_cast<std::int64_t>(c) == own) continue;
        const double share = shares[c * rows];
        total += share;
        if (share > most) most = share, first = c;
    }
    double left = d * units;
    const double all = left;
    for (std::size_t c = 0; c < classes; ++c) {
        if (static_cast<std::int64_t>(c) == own || c == first) continue;
        const double share = total > 0.0 ? shares[c * rows] / total : 1.0 / static_cast<double>(classes - 1);
        const auto given = static_cast<double>(static_cast<std::int64_t>(all * share));
        halves[c * rows] = -given * half;
        left -= given;
    }
    halves[first * rows] = -left * half;
    halves[static_cast<std::size_t>(own) * rows] = all * half;
}

}  // namespace

void least_margins(const ClassVotes& votes, double* margins, int threads) {
    const int workers = threads_worth(0.5 * static_cast<double>(votes.rows * votes.classes), threads);
    Blocks(votes.rows, workers, block).for_each([&](std::size_t, std::size_t begin, std::size_t count) {
        double own[block] = {}, top[block];
        own_and_top(votes.votes + begin, votes.code + begin, votes.classes, votes.rows, count, own, top);
        for (std::size_t i = 0; i < count; ++i) margins[begin + i] = (own[i] - top[i]) / 2.0;
    });
}

void soft_least_margins(const ClassVotes& votes, double eta, double* margins, double* shares, int threads) {
    const int workers = threads_worth(5.0 * static_cast<double>(votes.rows * votes.classes), threads);
    const auto others = static_cast<double>(votes.classes - 1);
    Blocks(votes.rows, workers, block).for_each([&](std::size_t, std::size_t begin, std::size_t count) {
        double own[block] = {}, top[block], sum[block];
        const double* const some = votes.votes + begin;
        const std::int64_t* const code = votes.code + begin;
        own_and_top(some, code, votes.classes, votes.rows, count, own, top);
        shares_of(some, code, votes.classes, votes.rows, count, top, eta / 2.0, shares + begin, sum);
        for (std::size_t i = 0; i < count; ++i)
            margins[begin + i] = (own[i] - top[i]) / 2.0 - log_positive(sum[i] / others) / eta;
    });
}

void deal_to_classes(const ClassVotes& shares, const double* d, double* halves, int threads) {
    const int workers = threads_worth(2.0 * static_cast<double>(shares.rows * shares.classes), threads);
    Blocks(shares.rows, workers, block).for_each([&](std::size_t, std::size_t begin, std::size_t count) {
        for (std::size_t c = 0; c < shares.classes; ++c) std::fill_n(halves + c * shares.rows + begin, count, 0.0);
        for (std::size_t i = begin; i < begin + count; ++i)
            if (d[i] > 0.0) deal_row(shares.votes + i, shares.code[i], shares.classes, shares.rows, d[i], halves + i);
    });
}

}  // namespace frankboost
