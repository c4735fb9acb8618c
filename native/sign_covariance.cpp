// Computes the covariance of columns of -1 and +1 over picked rows. It counts the rows in which two columns differ, 64
// rows per word, so that no product is rounded. Reference: NumPy in tests/test_native.py.
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

using Word = std::uint64_t;
constexpr std::size_t per_byte = 8, per_word = 64;
constexpr std::size_t chunk = 8;     // words to which columns are padded: a vector of 512 bits
constexpr std::size_t together = 4;  // columns that are compared with another one at a time

// differing[j, k] = the number of rows in which column k of `four` differs from column j of `others`.
FRANKBOOST_INLINE void compare(const Word* four, const Word* others, std::size_t count, std::size_t words,
                               std::int64_t* differing) {
    for (std::size_t j = 0; j < count; ++j, others += words, differing += together) {
        std::int64_t a = 0, b = 0, c = 0, d = 0;
        for (std::size_t w = 0; w < words; ++w) {
            a += __builtin_popcountll(four[w] ^ others[w]);
            b += __builtin_popcountll(four[words + w] ^ others[w]);
            c += __builtin_popcountll(four[2 * words + w] ^ others[w]);
            d += __builtin_popcountll(four[3 * words + w] ^ others[w]);
        }
        differing[0] = a, differing[1] = b, differing[2] = c, differing[3] = d;
    }
}

using Compare = void (*)(const Word*, const Word*, std::size_t, std::size_t, std::int64_t*);

FRANKBOOST_VECTORISED void compare_words(const Word* four, const Word* others, std::size_t count, std::size_t words,
                                         std::int64_t* differing) {
    compare(four, others, count, words, differing);
}

#if defined(FRANKBOOST_COPIES)
// Not by `target_clones`, whose AVX-512 lacks the instruction that counts bits.
__attribute__((target("avx512f,avx512vpopcntdq"))) void compare_vectors(const Word* four, const Word* others,
                                                                        std::size_t count, std::size_t words,
                                                                        std::int64_t* differing) {
    compare(four, others, count, words, differing);
}

Compare best_compare() { return __builtin_cpu_supports("avx512vpopcntdq") ? compare_vectors : compare_words; }
#else
Compare best_compare() { return compare_words; }
#endif

#if defined(__SSE2__)
// Writes bit j of each of 16 bytes to out[j], from bit `shift` on.
void spread(const std::uint8_t* bytes, std::size_t shift, Word* out) {
    __m128i rows = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
    for (std::size_t j = per_byte; j-- > 0;) {
        out[j] |= Word{static_cast<unsigned>(_mm_movemask_epi8(rows))} << shift;  // the highest bit of each byte
        rows = _mm_add_epi8(rows, rows);
    }
}
constexpr std::size_t at_once = 16;
#else
// Writes bit j of each of eight bytes to out[j], from bit `shift` on: a transpose (Warren, Hacker's Delight, 7-3).
void spread(const std::uint8_t* bytes, std::size_t shift, Word* out) {
    Word x = 0;
    for (std::size_t i = 0; i < per_byte; ++i) x |= Word{bytes[i]} << per_byte * i;
    Word t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAULL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCULL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0ULL;
    x ^= t ^ (t << 28);
    for (std::size_t j = 0; j < per_byte; ++j) out[j] |= (x >> per_byte * j & 0xFF) << shift;
}
constexpr std::size_t at_once = per_byte;
#endif

// Unpacks the picked rows of a group of eight columns, which are the bits of its bytes: `words` words of bits per
// column.
void unpack(const std::uint8_t* group, const std::int64_t* picked, std::size_t count, std::size_t words, Word* out) {
    std::fill_n(out, per_byte * words, Word{0});
    for (std::size_t begin = 0, w = 0; begin < count; begin += per_word, ++w) {
        std::uint8_t bytes[per_word] = {};
        if (begin + per_word <= count)  // the usual case: a loop whose length the compiler knows
            for (std::size_t i = 0; i < per_word; ++i) bytes[i] = group[picked[begin + i]];
        else
            for (std::size_t i = 0; begin + i < count; ++i) bytes[i] = group[picked[begin + i]];
        Word column[per_byte] = {};
        for (std::size_t i = 0; i < per_word; i += at_once) spread(bytes + i, i, column);
        for (std::size_t j = 0; j < per_byte; ++j) out[j * words + w] = column[j];
    }
}

// The picked rows of columns as bits of words, followed by a column with a 1 in every picked row, and padded with
// columns of zeros.
class Bits {
    std::vector<Word> bits_;

  public:
    std::size_t columns, words;

    Bits(const Signs& A, const std::int64_t* slots, std::size_t count, const std::int64_t* picked, std::size_t rows,
         int threads)
        : columns(count + 1), words((rows + chunk * per_word - 1) / (chunk * per_word) * chunk) {
        bits_.assign((columns + together - 1) / together * together * words, 0);
        const auto group_of = [&](std::size_t k) { return static_cast<std::size_t>(slots[k]) / per_byte; };
        std::vector<std::size_t> begins;  // where stretches of columns of the same group begin
        for (std::size_t k = 0; k < count; ++k)
            if (k == 0 || group_of(k) != group_of(k - 1)) begins.push_back(k);
        begins.push_back(count);
        const int workers = threads_worth(2.0 * static_cast<double>(begins.size() * rows), threads);
        parallel_for(begins.size() - 1, workers, [&](std::size_t task, std::size_t) {
            std::vector<Word> group(per_byte * words);
            unpack(A.entries + group_of(begins[task]) * A.rows, picked, rows, words, group.data());
            for (std::size_t k = begins[task]; k < begins[task + 1]; ++k) {
                const std::size_t bit = static_cast<std::size_t>(slots[k]) % per_byte;
                std::copy_n(group.data() + bit * words, words, bits_.data() + k * words);
            }
        });
        Word* const ones = bits_.data() + count * words;
        std::fill_n(ones, rows / per_word, ~Word{0});
        if (rows % per_word > 0) ones[rows / per_word] = (Word{1} << rows % per_word) - 1;
    }

    const Word* column(std::size_t k) const { return bits_.data() + k * words; }

    // The sum of a column of -1 and +1 over the picked rows.
    std::int64_t sum(std::size_t k, std::size_t rows) const {
        std::int64_t ones = 0;
        for (std::size_t w = 0; w < words; ++w) ones += __builtin_popcountll(column(k)[w]);
        return 2 * ones - static_cast<std::int64_t>(rows);
    }
};

}  // namespace

// (gram - first first^T / total) mass / total, where gram has the products of the columns, `first` their sums over the
// picked rows, and `total` is the number of these rows.
void sign_covariance(const Signs& A, const std::int64_t* slots, std::size_t columns, const std::int64_t* picked,
                     std::size_t rows, double mass, double* out, int threads) {
    const Bits bits(A, slots, columns, picked, rows, threads);
    const auto total = static_cast<double>(rows), scale = mass / total;
    std::vector<double> first(columns), share(columns);
    for (std::size_t j = 0; j < columns; ++j) {
        first[j] = static_cast<double>(bits.sum(j, rows));
        share[j] = first[j] / total;
    }
    const Compare compare = best_compare();
    const int workers = threads_worth(0.05 * static_cast<double>(columns * columns * bits.words), threads);
    parallel_for((columns + together - 1) / together, workers, [&](std::size_t task, std::size_t) {
        const std::size_t begin = task * together, count = columns - begin, some = std::min(together, count);
        std::vector<std::int64_t> differing(count * together);
        compare(bits.column(begin), bits.column(begin), count, bits.words, differing.data());
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t j = begin + k;
            for (std::size_t q = 0; q < some; ++q) {  // four neighbours of row j, and the same of column j
                const std::size_t i = begin + q;
                const double product = total - 2.0 * static_cast<double>(differing[k * together + q]);
                out[j * columns + i] = (product - first[j] * share[i]) * scale;
                if (k >= some) out[i * columns + j] = (product - first[i] * share[j]) * scale;
            }
        }
    });
}

}  // namespace frankboost
