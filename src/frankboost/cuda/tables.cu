// Computes the tables of the tree search: sums of u by bins, in whole units of the grid. A block sums its rows in
// shared memory, where only 32-bit atomics are fast. So each number u is cut into `count` limbs of `bits` bits, of
// which the highest has the sign. A block has `together` rows, so few that no limb overflows (tables.py), and adds its
// sums to those of all blocks. Same results as native/root_tables.cpp (tests/cuda/test_part.py).
extern __shared__ int shared[];

struct Limbs {
    int count, bits;
};

template <class Unit>
__device__ void add_limbs(int* cell, int cells, Unit u, Limbs limbs) {
    for (int k = 0; k + 1 < limbs.count; ++k) {
        atomicAdd(cell + k * cells, (int)(u & ((1 << limbs.bits) - 1)));
        u >>= limbs.bits;
    }
    atomicAdd(cell + (limbs.count - 1) * cells, (int)u);
}

__device__ void empty_limbs(int* cell, int cells, Limbs limbs) {
    for (int k = threadIdx.x; k < cells * limbs.count; k += blockDim.x) cell[k] = 0;
    __syncthreads();
}

__device__ void flush_limbs(const int* cell, int cells, Limbs limbs, i64* out) {
    for (int k = threadIdx.x; k < cells; k += blockDim.x) {
        i64 sum = cell[(limbs.count - 1) * cells + k];
        for (int limb = limbs.count - 1; limb-- > 0;)
            sum = sum * (1 << limbs.bits) + (i64)(unsigned)cell[limb * cells + k];
        if (sum != 0) atomicAdd((u64*)&out[k], (u64)sum);
    }
}

// Loops over the rows of a block, whose share of the rows is blockIdx.y.
#define EACH_OF_MY_ROWS(i, rows, together) \
    for (i64 i = blockIdx.y * together + threadIdx.x; i < rows && i < (blockIdx.y + 1) * together; i += blockDim.x)

// u in units of the grid, for d on the grid and a label.
__device__ i64 units_of(double d, byte positive) {
    const i64 units = (i64)(d * 0x1p52);
    return positive ? units : -units;
}

extern "C" __global__ void signed_units(const double* d, const byte* positive, i64 rows, i64* out) {
    EACH_ROW(i, rows) out[i] = units_of(d[i], positive[i]);
}
extern "C" __global__ void signed_units_32(const double* d, const byte* positive, i64 rows, int* out) {
    EACH_ROW(i, rows) out[i] = (int)units_of(d[i], positive[i]);
}

// Fills the tables of pairs of features. blockIdx.x is a group of up to `most_pairs` pairs with the same f, for which u
// and the codes of f are read once; blockIdx.y is a share of the rows. A thread reads four rows at a time: the codes of
// a feature begin at multiples of four bytes, and u is 0 behind the last row.
constexpr int most_pairs = 3;

template <class Unit>
struct alignas(4 * sizeof(Unit)) Four {
    Unit at[4];
};

template <class Unit>
__device__ void fill_pairs(const byte* codes, i64 stride, const Unit* u, i64 rows, i64 together, const int* first,
                           const int* f, const int* g, const i64* start, const int* bins, Limbs limbs, i64* out) {
    const int begin = first[blockIdx.x], pairs = first[blockIdx.x + 1] - begin;
    const byte *const cf = codes + f[begin] * stride, *cg[most_pairs];
    int width[most_pairs], cells[most_pairs], place[most_pairs], size = 0;
#pragma unroll
    for (int k = 0; k < most_pairs; ++k) {
        const int pair = begin + (k < pairs ? k : 0);
        cg[k] = codes + g[pair] * stride;
        width[k] = bins[g[pair]] + 1;
        cells[k] = (bins[f[pair]] + 1) * width[k];
        place[k] = size;
        if (k < pairs) size += cells[k] * limbs.count;
    }
    empty_limbs(shared, size, {1, 0});
    const i64 end = (blockIdx.y + 1) * together;
    for (i64 i = blockIdx.y * together + 4 * threadIdx.x; i < rows && i < end; i += 4 * blockDim.x) {
        const Four<Unit> mine = *(const Four<Unit>*)(u + i);
        const unsigned row = *(const unsigned*)(cf + i);
        unsigned column[most_pairs];
#pragma unroll
        for (int k = 0; k < most_pairs; ++k) column[k] = k < pairs ? *(const unsigned*)(cg[k] + i) : 0;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            if (mine.at[j] == 0) continue;
#pragma unroll
            for (int k = 0; k < most_pairs; ++k)
                if (k < pairs) {
                    const int at = (row >> 8 * j & 255) * width[k] + (column[k] >> 8 * j & 255);
                    add_limbs(shared + place[k] + at, cells[k], mine.at[j], limbs);
                }
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < most_pairs; ++k)
        if (k < pairs) flush_limbs(shared + place[k], cells[k], limbs, out + start[begin + k]);
}
extern "C" __global__ void pair_tables(const byte* codes, i64 stride, const i64* u, i64 rows, i64 together,
                                       const int* first, const int* f, const int* g, const i64* start, const int* bins,
                                       int limbs, int bits, i64* out) {
    fill_pairs<i64>(codes, stride, u, rows, together, first, f, g, start, bins, {limbs, bits}, out);
}
extern "C" __global__ void pair_tables_32(const byte* codes, i64 stride, const int* u, i64 rows, i64 together,
                                          const int* first, const int* f, const int* g, const i64* start,
                                          const int* bins, int, int bits, i64* out) {
    fill_pairs<int>(codes, stride, u, rows, together, first, f, g, start, bins, {2, bits}, out);
}

// The same for tables that are too large for shared memory.
extern "C" __global__ void large_tables(const byte* codes, i64 stride, const i64* u, i64 rows, const int* f,
                                        const int* g, const i64* start, const int* bins, i64* out) {
    const int pair = blockIdx.x, width = bins[g[pair]] + 1;
    const byte *const cf = codes + f[pair] * stride, *const cg = codes + g[pair] * stride;
    for (i64 i = blockIdx.y * (i64)blockDim.x + threadIdx.x; i < rows; i += (i64)gridDim.y * blockDim.x)
        if (u[i] != 0) atomicAdd((u64*)&out[start[pair] + cf[i] * width + cg[i]], (u64)u[i]);
}

// Sums u, or |u|, in cells; place(i) has the cells of the four rows from i on.
template <class Unit, class Place>
__device__ void fill_sums(const Unit* u, i64 rows, i64 together, int cells, Limbs limbs, bool absolute, Place place,
                          i64* out) {
    int* const cell = shared;
    empty_limbs(cell, cells, limbs);
    const i64 end = (blockIdx.y + 1) * together;
    for (i64 i = blockIdx.y * together + 4 * threadIdx.x; i < rows && i < end; i += 4 * blockDim.x) {
        const Four<Unit> mine = *(const Four<Unit>*)(u + i);
        const Four<int> to = place(i);
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (mine.at[j] != 0)
                add_limbs(cell + to.at[j], cells, absolute && mine.at[j] < 0 ? -mine.at[j] : mine.at[j], limbs);
    }
    __syncthreads();
    flush_limbs(cell, cells, limbs, out);
}

__device__ Four<int> four_codes(const byte* codes) {
    const unsigned word = *(const unsigned*)codes;
    return {(int)(word & 255), (int)(word >> 8 & 255), (int)(word >> 16 & 255), (int)(word >> 24)};
}

// The sums by the bins of feature blockIdx.x.
template <class Unit>
__device__ void sums_by_bin(const byte* codes, i64 stride, const Unit* u, i64 rows, i64 together, const i64* start,
                            const int* bins, Limbs limbs, bool absolute, i64* out) {
    const byte* const code = codes + blockIdx.x * stride;
    const auto place = [=](i64 i) { return four_codes(code + i); };
    fill_sums(u, rows, together, bins[blockIdx.x] + 1, limbs, absolute, place, out + start[blockIdx.x]);
}
extern "C" __global__ void feature_sums(const byte* codes, i64 stride, const i64* u, i64 rows, i64 together,
                                        const i64* start, const int* bins, int limbs, int bits, int absolute,
                                        i64* out) {
    sums_by_bin(codes, stride, u, rows, together, start, bins, {limbs, bits}, absolute != 0, out);
}
extern "C" __global__ void feature_sums_32(const byte* codes, i64 stride, const int* u, i64 rows, i64 together,
                                           const i64* start, const int* bins, int, int bits, int absolute, i64* out) {
    sums_by_bin(codes, stride, u, rows, together, start, bins, {2, bits}, absolute != 0, out);
}

// The sums below root r = blockIdx.x: by the bins of children[2 r] over the rows right of it, and by the bins of
// children[2 r + 1] over the rows left of it.
template <class Unit>
__device__ void sums_by_side(const byte* codes, i64 stride, const Unit* u, i64 rows, i64 together, const Node* roots,
                             const int* children, const i64* start, const Layout& layout, Limbs limbs, bool absolute,
                             i64* out) {
    const Node root = roots[blockIdx.x];
    const int right = children[2 * blockIdx.x], left = children[2 * blockIdx.x + 1];
    const int before = layout.bins[right] + 1, cells = before + layout.bins[left] + 1;
    const auto place = [&](i64 i) {
        const Four<int> code = four_codes(codes + root.feature * stride + i);
        const Four<int> at_left = four_codes(codes + left * stride + i),
                        at_right = four_codes(codes + right * stride + i);
        Four<int> to;
#pragma unroll
        for (int j = 0; j < 4; ++j)
            to.at[j] = goes_left(root, code.at[j], layout) ? before + at_left.at[j] : at_right.at[j];
        return to;
    };
    fill_sums(u, rows, together, cells, limbs, absolute, place, out + start[blockIdx.x]);
}
extern "C" __global__ void side_sums(const byte* codes, i64 stride, const i64* u, i64 rows, i64 together,
                                     const Node* roots, const int* children, const i64* start, const int* bins,
                                     const byte* missing, const u64* sets, int limbs, int bits, int absolute,
                                     i64* out) {
    sums_by_side(codes, stride, u, rows, together, roots, children, start, {bins, missing, sets}, {limbs, bits},
                 absolute != 0, out);
}
extern "C" __global__ void side_sums_32(const byte* codes, i64 stride, const int* u, i64 rows, i64 together,
                                        const Node* roots, const int* children, const i64* start, const int* bins,
                                        const byte* missing, const u64* sets, int, int bits, int absolute, i64* out) {
    sums_by_side(codes, stride, u, rows, together, roots, children, start, {bins, missing, sets}, {2, bits},
                 absolute != 0, out);
}
