// Many classes in one game: native/class_margins.cpp, one thread per row. Votes and shares have all rows of a class
// after those of the classes before it.

// native/exponentials.hpp: ln x for finite x > 0.
__device__ double log_positive(double x) {
    const double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33, root_half = 0x1.6a09e667f3bcdp-1;
    int n = 0;
    double m = frexp(x, &n);
    if (m < root_half) {
        m *= 2.0;
        --n;
    }
    const double s = (m - 1.0) / (m + 1.0), square = s * s;
    double series = 0.0;
    for (int k = 25; k >= 3; k -= 2) series = (series + 1.0 / k) * square;
    return n * ln2_high + (2.0 * s * (1.0 + series) + n * ln2_low);
}

// The largest vote for another class than the row's own.
__device__ double top_of(const double* votes, i64 own, int classes, i64 rows, i64 i) {
    double top = __longlong_as_double(0xfff0000000000000ll);
    for (int c = 0; c < classes; ++c)
        if (c != own && votes[c * rows + i] > top) top = votes[c * rows + i];
    return top;
}

extern "C" __global__ void least_class_margins(const double* votes, const i64* code, int classes, i64 rows,
                                               double* margins) {
    EACH_ROW(i, rows) margins[i] = (votes[code[i] * rows + i] - top_of(votes, code[i], classes, rows, i)) / 2.0;
}

extern "C" __global__ void soft_class_margins(const double* votes, const i64* code, int classes, i64 rows, double eta,
                                              double* margins, double* shares) {
    const double half_eta = eta / 2.0;
    EACH_ROW(i, rows) {
        const double top = top_of(votes, code[i], classes, rows, i);
        double sum = 0.0;
        for (int c = 0; c < classes; ++c) {
            const double below = half_eta * (votes[c * rows + i] - top);
            const double share = c == code[i] ? 0.0 : exp_negative(below < 0.0 ? below : 0.0);
            shares[c * rows + i] = share;
            sum += share;
        }
        margins[i] = (votes[code[i] * rows + i] - top) / 2.0 - log_positive(sum / (double)(classes - 1)) / eta;
    }
}

// Whole units to each of the other classes, rounded down, and what is left to that of the largest share.
extern "C" __global__ void deal_to_classes(const double* shares, const double* d, const i64* code, int classes,
                                           i64 rows, double* halves) {
    EACH_ROW(i, rows) {
        const double all = d[i] * 0x1p52;
        double total = 0.0, most = -1.0, left = all;
        int first = 0;
        for (int c = 0; c < classes; ++c) {
            if (c == code[i]) continue;
            const double share = shares[c * rows + i];
            total += share;
            if (share > most) {
                most = share;
                first = c;
            }
        }
        for (int c = 0; c < classes; ++c) {
            if (c == code[i] || c == first) continue;
            const double share = total > 0.0 ? shares[c * rows + i] / total : 1.0 / (double)(classes - 1);
            const double given = (double)(i64)(all * share);
            halves[c * rows + i] = all > 0.0 ? -given * 0x1p-53 : 0.0;
            left -= given;
        }
        halves[first * rows + i] = all > 0.0 ? -left * 0x1p-53 : 0.0;
        halves[code[i] * rows + i] = all * 0x1p-53;
    }
}
