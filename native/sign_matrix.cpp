// Computes products with a margin matrix of -1 and +1, whose columns are packed eight per byte: bit j of byte (g, i) is
// set if column 8 g + j is +1 in row i. A byte has 256 values, so that the sum of eight columns for a row is looked up
// in a table of 256 entries (A w), or the masses of rows are gathered in one (A^T d): one step in place of eight.
// Reference: NumPy in tests/test_native.py.
#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

constexpr std::size_t patterns = 256, per_byte = 8;
constexpr std::size_t together = 4;  // groups of columns at a time, so that additions do not wait for each other
constexpr std::size_t block = 2048;  // rows whose sums stay in the first-level cache
constexpr std::size_t stretch = 1 << 16, most_stretches = 64;

// table[b] = sum over j of +weights[j] where bit j of b is set, -weights[j] where not.
void fill_table(const double* weights, double* table) {
    table[0] = 0.0;
    for (std::size_t j = 0; j < per_byte; ++j) table[0] -= weights[j];
    for (std::size_t j = 0, size = 1; j < per_byte; ++j, size *= 2)
        for (std::size_t b = 0; b < size; ++b) table[size + b] = table[b] + 2.0 * weights[j];
}

// edges[j] = sum over b of +table[b] where bit j of b is set, -table[b] where not; overwrites the table.
void read_edges(double* table, double* edges) {
    for (std::size_t j = per_byte, half = patterns / 2; j-- > 0; half /= 2) {
        double edge = 0.0;
        for (std::size_t b = 0; b < half; ++b) {
            edge += table[half + b] - table[b];
            table[b] += table[half + b];
        }
        edges[j] = edge;
    }
}

FRANKBOOST_INLINE void add_looked_up(const std::uint8_t* packed, std::size_t rows, std::size_t count,
                                     const double* tables, std::size_t groups, double* out) {
    for (std::size_t i = 0; i < count; ++i) {
        double sum = out[i];
        for (std::size_t g = 0; g < groups; ++g) sum += tables[g * patterns + packed[g * rows + i]];
        out[i] = sum;
    }
}

FRANKBOOST_INLINE void gather_mass(const std::uint8_t* packed, std::size_t rows, std::size_t count, const double* mass,
                                   std::size_t groups, double* tables) {
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t g = 0; g < groups; ++g) tables[g * patterns + packed[g * rows + i]] += mass[i];
}

template <class Real>
FRANKBOOST_INLINE void scale_signs(const std::uint8_t* bytes, int bit, const PickedRows<Real>& picked, Real* out) {
    for (std::size_t i = 0; i < picked.count; ++i)
        out[i] = picked.factor[i] * static_cast<Real>((static_cast<int>(bytes[i]) >> bit & 1) * 2 - 1);
}

// Compilers make no vectorised copies of templates.
FRANKBOOST_VECTORISED void scale(const std::uint8_t* bytes, int bit, const PickedRows<float>& picked, float* out) {
    scale_signs(bytes, bit, picked, out);
}
FRANKBOOST_VECTORISED void scale(const std::uint8_t* bytes, int bit, const PickedRows<double>& picked, double* out) {
    scale_signs(bytes, bit, picked, out);
}

// Sets a bit of each byte where a column of -1 and +1 is +1.
FRANKBOOST_VECTORISED_BYTES void set_bits(const std::int8_t* column, std::size_t rows, unsigned bit,
                                          std::uint8_t* packed) {
    const auto mask = static_cast<std::uint8_t>(1U << bit);
    for (std::size_t i = 0; i < rows; ++i) packed[i] |= column[i] > 0 ? mask : 0;
}

}  // namespace

void margins(const Signs& A, const double* weights, std::size_t columns, double* out, int threads) {
    const std::size_t groups = (columns + per_byte - 1) / per_byte;
    std::vector<double> padded(groups * per_byte, 0.0), tables(groups * patterns);
    std::copy(weights, weights + columns, padded.begin());
    for (std::size_t g = 0; g < groups; ++g) fill_table(padded.data() + g * per_byte, tables.data() + g * patterns);
    const int workers = threads_worth(0.5 * static_cast<double>(A.rows * groups), threads);
    Blocks(A.rows, workers, block).for_each([&](std::size_t, std::size_t begin, std::size_t count) {
        std::fill_n(out + begin, count, 0.0);
        for (std::size_t g = 0; g < groups; g += together) {
            const std::uint8_t* packed = A.entries + g * A.rows + begin;
            const double* table = tables.data() + g * patterns;
            if (groups - g >= together)  // the number is a constant here, so that the inner loop is unrolled
                add_looked_up(packed, A.rows, count, table, together, out + begin);
            else
                add_looked_up(packed, A.rows, count, table, groups - g, out + begin);
        }
    });
}

// The rows are cut into stretches, too, since most calls have few columns of many rows. The stretches do not depend on
// the number of threads.
void edges(const Signs& A, const double* distribution, std::size_t columns, double* out, int threads) {
    const std::size_t groups = (columns + per_byte - 1) / per_byte, sets = (groups + together - 1) / together;
    const std::size_t stretches = std::clamp<std::size_t>(A.rows / stretch, 1, most_stretches),
                      cells = groups * patterns;
    std::vector<double> tables(stretches * cells, 0.0), edges(groups * per_byte);
    const int workers = threads_worth(1.0 * static_cast<double>(A.rows * groups), threads);
    parallel_for(sets * stretches, workers, [&](std::size_t task, std::size_t) {
        const std::size_t first = task % sets * together, count = std::min(together, groups - first);
        const std::size_t s = task / sets, begin = A.rows * s / stretches, end = A.rows * (s + 1) / stretches;
        const std::uint8_t* packed = A.entries + first * A.rows + begin;
        double* const table = tables.data() + s * cells + first * patterns;
        if (count == together)
            gather_mass(packed, A.rows, end - begin, distribution + begin, together, table);
        else
            gather_mass(packed, A.rows, end - begin, distribution + begin, count, table);
    });
    for (std::size_t s = 1; s < stretches; ++s)
        for (std::size_t k = 0; k < cells; ++k) tables[k] += tables[s * cells + k];
    for (std::size_t g = 0; g < groups; ++g) read_edges(tables.data() + g * patterns, edges.data() + g * per_byte);
    std::copy(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(columns), out);
}

void append_signs(const std::int8_t* columns, std::size_t count, std::size_t rows, std::size_t first,
                  std::uint8_t* matrix, int threads) {
    const std::size_t begin = first / per_byte, groups = count > 0 ? (first + count - 1) / per_byte + 1 - begin : 0;
    const int workers = threads_worth(0.1 * static_cast<double>(rows * count), threads);
    parallel_for(groups, workers, [&](std::size_t g, std::size_t) {  // no two tasks write to the same byte
        const std::size_t group = begin + g, end = std::min(first + count, (group + 1) * per_byte);
        for (std::size_t j = std::max(first, group * per_byte); j < end; ++j)
            set_bits(columns + (j - first) * rows, rows, static_cast<unsigned>(j % per_byte), matrix + group * rows);
    });
}

template <class Real>
void scaled_columns(const Signs& A, const std::int64_t* slots, std::size_t columns, const PickedRows<Real>& picked,
                    Real* out, int threads) {
    const int workers = threads_worth(0.5 * static_cast<double>(picked.count * columns), threads);
    // Eight columns per task, as these are mostly of the same group.
    parallel_for((columns + per_byte - 1) / per_byte, workers, [&](std::size_t task, std::size_t) {
        std::vector<std::uint8_t> bytes(picked.count);
        const std::uint8_t* group = nullptr;
        for (std::size_t k = task * per_byte; k < std::min(columns, (task + 1) * per_byte); ++k) {
            const auto slot = static_cast<std::size_t>(slots[k]);
            const std::uint8_t* const wanted = A.entries + slot / per_byte * A.rows;
            if (group != wanted)
                for (std::size_t i = 0; i < picked.count; ++i) bytes[i] = wanted[picked.row[i]];
            group = wanted;
            scale(bytes.data(), static_cast<int>(slot % per_byte), picked, out + k * picked.count);
        }
    });
}

template void scaled_columns(const Signs&, const std::int64_t*, std::size_t, const PickedRows<float>&, float*, int);
template void scaled_columns(const Signs&, const std::int64_t*, std::size_t, const PickedRows<double>&, double*, int);

}  // namespace frankboost
