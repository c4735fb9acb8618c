// The covariance of columns of -1 and +1 over picked rows: where two columns differ is counted, 64 rows at a time.
#include "kernels.hpp"
#include "parallel.hpp"

namespace frankboost {
namespace {

using Word = std::uint64_t;
constexpr std::size_t per_byte = 8, per_word = 64;
constexpr std::size_t chunk = 8;     // words to which columns are padded: a vector of 512 bits
constexpr std::size_t together = 4;  // columns that are compared with another at a time

// differing[j, k] = in how many rows column k of four, one after another, differs from column j of others.
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
// No `target_clones` for this one: they know AVX-512 without its instruction that counts bits.
__attribute__((target("avx512f,avx512vpopcntdq"))) void compare_vectors(const Word* four, const Word* others,
                                                                        std::size_t count, std::size_t words,
                                                                        std::int64_t* differing) {
    compare(four, others, count, words, differing);
}

Compare best_compare() { return __builtin_cpu_supports("avx512vpopcntdq") ? compare_vectors : compare_words; }
#else
Compare best_compare() { return compare_words; }
#endif

// The transpose of eight rows of eight bits, a byte each (Warren, Hacker's Delight, 7-3).
Word transposed(Word x) {
    Word t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAULL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCULL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0ULL;
    return x ^ t ^ (t << 28);
}

// Of eight columns of a group, which are bits of its bytes, the picked rows as bits of words, `words` to a column.
void unpack(const std::uint8_t* group, const std::int64_t* picked, std::size_t count, std::size_t words, Word* out) {
    std::fill_n(out, per_byte * words, Word{0});
    for (std::size_t begin = 0; begin < count; begin += per_byte) {
        Word bytes = 0;
        const std::size_t end = std::min(begin + per_byte, count);
        for (std::size_t i = begin; i < end; ++i) bytes |= Word{group[picked[i]]} << per_byte * (i - begin);
        bytes = transposed(bytes);
        for (std::size_t j = 0; j < per_byte; ++j)
            out[j * words + begin / per_word] |= (bytes >> per_byte * j & 0xFF) << begin % per_word;
    }
}

// Columns as bits of words, padded with columns of zeros; the last of the given ones has a 1 in every picked row.
class Bits {
    std::vector<Word> bits_;

  public:
    std::size_t columns, words;

    Bits(const Signs& A, const std::int64_t* slots, std::size_t count, const std::int64_t* picked, std::size_t rows)
        : columns(count + 1), words((rows + chunk * per_word - 1) / (chunk * per_word) * chunk) {
        bits_.assign((columns + together - 1) / together * together * words, 0);
        std::vector<Word> group(per_byte * words);
        std::size_t unpacked = A.rows;  // the group in there; at first none
        for (std::size_t k = 0; k < count; ++k) {
            const auto slot = static_cast<std::size_t>(slots[k]);
            if (k == 0 || unpacked != slot / per_byte)
                unpack(A.entries + slot / per_byte * A.rows, picked, rows, words, group.data());
            unpacked = slot / per_byte;
            std::copy_n(group.data() + slot % per_byte * words, words, bits_.data() + k * words);
        }
        for (std::size_t i = 0; i < rows; ++i) bits_[count * words + i / per_word] |= Word{1} << i % per_word;
    }

    const Word* column(std::size_t k) const { return bits_.data() + k * words; }
};

// (gram - first first^T / total) mass / total, where `first` are the products with the column of ones, the last.
void centre(const std::vector<std::int64_t>& gram, std::size_t columns, double mass, double* out) {
    const std::size_t n = columns + 1;
    const auto total = static_cast<double>(gram[n * n - 1]);
    std::vector<double> first(columns), share(columns);
    for (std::size_t j = 0; j < columns; ++j) {
        first[j] = static_cast<double>(gram[j * n + columns]);
        share[j] = first[j] / total;
    }
    for (std::size_t i = 0; i < columns; ++i)
        for (std::size_t j = i; j < columns; ++j) {
            const auto product = static_cast<double>(gram[i * n + j]);
            out[i * columns + j] = (product - first[i] * share[j]) * (mass / total);
            out[j * columns + i] = (product - first[j] * share[i]) * (mass / total);
        }
}

}  // namespace

void sign_covariance(const Signs& A, const std::int64_t* slots, std::size_t columns, const std::int64_t* picked,
                     std::size_t rows, double mass, double* out, int threads) {
    const Bits bits(A, slots, columns, picked, rows);
    const std::size_t n = bits.columns;
    const Compare compare = best_compare();
    std::vector<std::int64_t> gram(n * n);  // on the diagonal and to the right of it
    const int workers = threads_worth(0.05 * static_cast<double>(n * n * bits.words), threads);
    parallel_for((n + together - 1) / together, workers, [&](std::size_t task, std::size_t) {
        const std::size_t first = task * together, count = n - first;
        std::vector<std::int64_t> differing(count * together);
        compare(bits.column(first), bits.column(first), count, bits.words, differing.data());
        for (std::size_t k = 0; k < std::min(together, count); ++k)
            for (std::size_t j = 0; j < count; ++j)
                gram[(first + k) * n + first + j] = static_cast<std::int64_t>(rows) - 2 * differing[j * together + k];
    });
    centre(gram, columns, mass, out);
}

}  // namespace frankboost
