// Kernels of the CUDA room. No product is fused with a sum (the compiler is told so), and every sum is of rounded terms
// or of whole numbers, and so exact in any order: what comes out is what the CPU has, bit for bit.

typedef unsigned char byte;
typedef unsigned long long u64;
typedef long long i64;

// native/exponentials.hpp: e^x for x <= 0.
__device__ double exp_negative(double x) {
    const double log2e = 1.4426950408889634, ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
    const double magic = 0x1.8p52;
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
    const u64 bits = (u64)__double_as_longlong(p) + ((u64)__double_as_longlong(shifted) << 52);
    return x < -708.0 ? 0.0 : __longlong_as_double((i64)bits);
}

// native/projection.hpp: a sum in two exact parts.
struct ExactSum {
    double high, low;
    __device__ void add(double term, double coarse, double fine) {
        const double rounded = (term + coarse) - coarse;
        high += rounded;
        low += ((term - rounded) + fine) - fine;
    }
};

__device__ double sum_over_block(double x) {
    __shared__ double part[32];
    for (int step = 16; step > 0; step /= 2) x += __shfl_down_sync(~0u, x, step);
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
    __syncthreads();
    x = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.0;
    if (threadIdx.x < 32)
        for (int step = 16; step > 0; step /= 2) x += __shfl_down_sync(~0u, x, step);
    return x;  // in the first thread
}

__device__ double largest_over_block(double x) {
    __shared__ double part[32];
    for (int step = 16; step > 0; step /= 2) x = fmax(x, __shfl_down_sync(~0u, x, step));
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
    __syncthreads();
    x = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : __longlong_as_double(0xfff0000000000000ll);
    if (threadIdx.x < 32)
        for (int step = 16; step > 0; step /= 2) x = fmax(x, __shfl_down_sync(~0u, x, step));
    return x;
}

// Five numbers for each block, see native/projection.hpp.
__device__ void store(ExactSum capped, ExactSum free, double top, double* out) {
    const double numbers[4] = {capped.high, capped.low, free.high, free.low};
    for (int k = 0; k < 4; ++k) {
        const double sum = sum_over_block(numbers[k]);
        if (threadIdx.x == 0) out[blockIdx.x * 6 + k] = sum;
    }
    top = largest_over_block(top);
    if (threadIdx.x == 0) out[blockIdx.x * 6 + 4] = top;
}

// Sample weights and what is made of them: one entry per row, or a single one if all are the same.
struct PerRow {
    const double* entries;
    i64 step;  // 1, or 0
    __device__ double operator[](i64 i) const { return entries[i * step]; }
};

#define EACH_ROW(i, rows) \
    for (i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x; i < rows; i += (i64)gridDim.x * blockDim.x)

extern "C" __global__ void projection_sums(const double* margins, const double* weights, i64 step, i64 rows,
                                           double start, double eta, double shift, double limit, double coarse, double fine,
                                           double* out) {
    const PerRow weight = {weights, step};
    ExactSum capped = {0.0, 0.0}, free = {0.0, 0.0};
    double top = __longlong_as_double(0xfff0000000000000ll);
    EACH_ROW(i, rows) {
        const double key = start - eta * margins[i], below = key - shift;
        if (key >= limit) {
            capped.add(weight[i], coarse, fine);
        } else {
            free.add(weight[i] * exp_negative(below < 0.0 ? below : 0.0), coarse, fine);
            top = fmax(top, key);
        }
    }
    store(capped, free, top, out);
}

// d rounded down to the grid; the sums of what was paid for it, and of itself.
extern "C" __global__ void fill(const double* margins, const double* all_caps, const double* all_units, i64 step,
                                i64 rows, double start, double eta, double shift, double limit, double scale, double keys_coarse,
                                double keys_fine, double mass_coarse, double mass_fine, double* d, double* out) {
    const PerRow caps = {all_caps, step}, units = {all_units, step};
    ExactSum capped = {0.0, 0.0}, free = {0.0, 0.0};
    double total = 0.0;
    EACH_ROW(i, rows) {
        const double key = start - eta * margins[i], below = key - shift;
        const double part = caps[i] * exp_negative(below < 0.0 ? below : 0.0) * scale;
        const double mass = key >= limit || part > caps[i] ? caps[i] : part;
        if (key >= limit)
            capped.add(mass * key, keys_coarse, keys_fine);
        else
            free.add(mass, mass_coarse, mass_fine);
        const double exact = fmin(mass, 1.0), near = (exact + 1.0) - 1.0;
        const double snapped = fmin(near > exact ? near - 0x1p-52 : near, units[i] * 0x1p-52);
        d[i] = snapped;
        total += snapped;
    }
    store(capped, free, 0.0, out);
    total = sum_over_block(total);
    if (threadIdx.x == 0) out[blockIdx.x * 6 + 5] = total;
}

// A w from tables of what eight columns do to a row, group by group as native/sign_matrix.cpp adds them.
extern "C" __global__ void margins(const byte* signs, const double* tables, int groups, i64 rows, double* out) {
    EACH_ROW(i, rows) {
        double sum = 0.0;
        for (int g = 0; g < groups; ++g) sum += tables[g * 256 + signs[g * rows + i]];
        out[i] = sum;
    }
}

// Edges of the eight columns of a group; one row of blocks per group.
extern "C" __global__ void edges(const byte* signs, const double* d, i64 rows, double* out) {
    const byte* const mine = signs + blockIdx.y * rows;
    double sum[8] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    EACH_ROW(i, rows) {
        const double mass = d[i];
        const int bits = mine[i];
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[j] += bits >> j & 1 ? mass : -mass;
    }
    for (int j = 0; j < 8; ++j) {
        const double total = sum_over_block(sum[j]);
        if (threadIdx.x == 0) out[(blockIdx.y * (i64)gridDim.x + blockIdx.x) * 8 + j] = total;
    }
}

// Weight, or rows if they all weigh 1, in each bucket of margins, see native/soft_margin.hpp.
template <class Sum>
__device__ void fill_buckets(const double* margins, const double* weight, i64 rows, double least, double most,
                             double factor, double magic, Sum* out) {
    __shared__ Sum mine[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) mine[k] = 0;
    __syncthreads();
    EACH_ROW(i, rows) {
        const double margin = margins[i];
        if (!(margin >= least && margin <= most)) continue;
        atomicAdd(&mine[(int)((margin - least) * factor)], weight ? (Sum)((weight[i] + magic) - magic) : (Sum)1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        if (mine[k] != 0) atomicAdd(&out[k], mine[k]);
}
extern "C" __global__ void count_buckets(const double* margins, i64 rows, double least, double most, double factor,
                                         unsigned* out) {
    fill_buckets<unsigned>(margins, nullptr, rows, least, most, factor, 0.0, out);
}
extern "C" __global__ void weigh_buckets(const double* margins, const double* weight, i64 rows, double least,
                                         double most, double factor, double magic, double* out) {
    fill_buckets<double>(margins, weight, rows, least, most, factor, magic, out);
}

extern "C" __global__ void in_bucket(const double* margins, const double* weights, i64 step, i64 rows, double least,
                                     double most, double factor, double magic, int bucket, double* out) {
    const PerRow weight = {weights, step};
    const double infinite = __longlong_as_double(0x7ff0000000000000ll);
    double paid = 0.0, lowest = infinite, highest = -infinite;
    EACH_ROW(i, rows) {
        const double margin = margins[i];
        if (!(margin >= least && margin <= most)) continue;
        const int k = (int)((margin - least) * factor);
        if (k < bucket) {
            paid += (weight[i] * margin + magic) - magic;
        } else if (k == bucket) {
            lowest = fmin(lowest, margin);
            highest = fmax(highest, margin);
        }
    }
    paid = sum_over_block(paid);
    lowest = -largest_over_block(-lowest);
    highest = largest_over_block(highest);
    if (threadIdx.x == 0) {
        out[blockIdx.x * 3] = paid;
        out[blockIdx.x * 3 + 1] = lowest;
        out[blockIdx.x * 3 + 2] = highest;
    }
}

// Trees as node records, see native/trees.hpp.
struct Node {
    double threshold, value;
    int feature, last_bin, left, right, set_index;
    byte missing_left, unused[3];
};

struct Layout {
    const int* bins;
    const byte* missing;
    const u64* sets;  // four words each
};

__device__ bool goes_left(const Node& node, int code, const Layout& layout) {
    if (code == layout.bins[node.feature]) return layout.missing[node.feature] && node.missing_left;
    return node.set_index < 0 ? code <= node.last_bin : layout.sets[4 * node.set_index + code / 64] >> (code % 64) & 1;
}

__device__ int leaf_of(const Node* tree, const byte* codes, i64 rows, i64 i, const Layout& layout) {
    int k = 0;
    while (tree[k].feature >= 0)
        k = goes_left(tree[k], codes[tree[k].feature * rows + i], layout) ? tree[k].left : tree[k].right;
    return k;
}

__device__ u64 mixed(u64 x) {  // splitmix64
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// The column of a tree, into a bit of its group.
__device__ void add_column(const byte* codes, const byte* positive, i64 rows, const Node* tree, const Layout& layout,
                           byte* group, int bit, u64* digest) {
    u64 one = 0, two = 0;
    EACH_ROW(i, rows) {
        const bool right = (tree[leaf_of(tree, codes, rows, i, layout)].value > 0.0) == (positive[i] != 0);
        group[i] |= (byte)(right << bit);
        if (right) {
            one += mixed((u64)i);
            two += mixed(~(u64)i);
        }
    }
    for (int step = 16; step > 0; step /= 2) {
        one += __shfl_down_sync(~0u, one, step);
        two += __shfl_down_sync(~0u, two, step);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&digest[0], one);
        atomicAdd(&digest[1], two);
    }
}

// The columns of trees from column `first` on; digests get two sums of random numbers over the rows a tree is right on.
// One row of blocks for the trees of each group of columns: no two write to the same byte.
extern "C" __global__ void add_columns(const byte* codes, const byte* positive, i64 rows, const Node* nodes,
                                       const i64* roots, int trees, const int* bins, const byte* missing,
                                       const u64* sets, int first, byte* signs, u64* digests) {
    const Layout layout = {bins, missing, sets};
    const int group = first / 8 + blockIdx.y;
    for (int column = group * 8 < first ? first : group * 8; column < group * 8 + 8 && column < first + trees; ++column)
        add_column(codes, positive, rows, nodes + roots[column - first], layout, signs + group * rows, column % 8,
                   digests + 2 * (column - first));
}

// Sums of whole numbers in shared memory, where atomics of 32 bits are the fast ones: each number u goes in as `count`
// limbs of so many bits, low ones unsigned and the highest with the sign. Each block has `together` rows, so few that
// no limb overflows (see tables.py), and adds what it has to the sums of all.
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

// The rows of a block, if blockIdx.y is its share.
#define EACH_OF_MY_ROWS(i, rows, together) \
    for (i64 i = blockIdx.y * together + threadIdx.x; i < rows && i < (blockIdx.y + 1) * together; i += blockDim.x)

// u in units of the grid, d on it and y as signs.
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

// The tables of pairs of features: blockIdx.x is a group of up to `most_pairs` with the same f, for which u and the
// codes of f are read once, and blockIdx.y a share of the rows.
constexpr int most_pairs = 3;

template <class Unit>
__device__ void fill_pairs(const byte* codes, const Unit* u, i64 rows, i64 together, const int* first, const int* f,
                           const int* g, const i64* start, const int* bins, Limbs limbs, i64* out) {
    extern __shared__ int shared[];
    const int begin = first[blockIdx.x], pairs = first[blockIdx.x + 1] - begin;
    const byte *const cf = codes + f[begin] * rows, *cg[most_pairs];
    int stride[most_pairs], cells[most_pairs], place[most_pairs], size = 0;
#pragma unroll
    for (int k = 0; k < most_pairs; ++k) {
        const int pair = begin + (k < pairs ? k : 0);
        cg[k] = codes + g[pair] * rows;
        stride[k] = bins[g[pair]] + 1;
        cells[k] = (bins[f[pair]] + 1) * stride[k];
        place[k] = size;
        if (k < pairs) size += cells[k] * limbs.count;
    }
    empty_limbs(shared, size, {1, 0});
    EACH_OF_MY_ROWS(i, rows, together) {
        const Unit mine = u[i];
        if (mine == 0) continue;
        const int row = cf[i];
#pragma unroll
        for (int k = 0; k < most_pairs; ++k)
            if (k < pairs) add_limbs(shared + place[k] + row * stride[k] + cg[k][i], cells[k], mine, limbs);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < most_pairs; ++k)
        if (k < pairs) flush_limbs(shared + place[k], cells[k], limbs, out + start[begin + k]);
}
extern "C" __global__ void pair_tables(const byte* codes, const i64* u, i64 rows, i64 together, const int* first,
                                       const int* f, const int* g, const i64* start, const int* bins, int limbs,
                                       int bits, i64* out) {
    fill_pairs<i64>(codes, u, rows, together, first, f, g, start, bins, {limbs, bits}, out);
}
extern "C" __global__ void pair_tables_32(const byte* codes, const int* u, i64 rows, i64 together, const int* first,
                                          const int* f, const int* g, const i64* start, const int* bins, int limbs,
                                          int bits, i64* out) {
    fill_pairs<int>(codes, u, rows, together, first, f, g, start, bins, {limbs, bits}, out);
}

// The same where a table is too large for shared memory.
extern "C" __global__ void large_tables(const byte* codes, const i64* u, i64 rows, const int* f, const int* g,
                                        const i64* start, const int* bins, i64* out) {
    const int pair = blockIdx.x, stride = bins[g[pair]] + 1;
    const byte *const cf = codes + f[pair] * rows, *const cg = codes + g[pair] * rows;
    for (i64 i = blockIdx.y * (i64)blockDim.x + threadIdx.x; i < rows; i += (i64)gridDim.y * blockDim.x)
        if (u[i] != 0) atomicAdd((u64*)&out[start[pair] + cf[i] * stride + cg[i]], (u64)u[i]);
}

// Sums of u, or of |u|, by the bins of a feature: blockIdx.x is the feature.
extern "C" __global__ void feature_sums(const byte* codes, const i64* u, i64 rows, i64 together, const i64* start,
                                        const int* bins, int limbs, int bits, int absolute, i64* out) {
    extern __shared__ int cell[];
    const int cells = bins[blockIdx.x] + 1;
    const byte* const code = codes + blockIdx.x * rows;
    empty_limbs(cell, cells, {limbs, bits});
    EACH_OF_MY_ROWS(i, rows, together)
        if (u[i] != 0) add_limbs(cell + code[i], cells, absolute && u[i] < 0 ? -u[i] : u[i], {limbs, bits});
    __syncthreads();
    flush_limbs(cell, cells, {limbs, bits}, out + start[blockIdx.x]);
}

// Below roots: sums by the bins of children[2 r] over the rows right of root r, and of children[2 r + 1] left of it.
extern "C" __global__ void side_sums(const byte* codes, const i64* u, i64 rows, i64 together, const Node* roots,
                                     const int* children, const i64* start, const int* bins, const byte* missing,
                                     const u64* sets, int limbs, int bits, int absolute, i64* out) {
    extern __shared__ int cell[];
    const Layout layout = {bins, missing, sets};
    const Node root = roots[blockIdx.x];
    const int right = children[2 * blockIdx.x], left = children[2 * blockIdx.x + 1];
    const int before = bins[right] + 1, cells = before + bins[left] + 1;
    empty_limbs(cell, cells, {limbs, bits});
    EACH_OF_MY_ROWS(i, rows, together) {
        if (u[i] == 0) continue;
        const bool goes = goes_left(root, codes[root.feature * rows + i], layout);
        const int place = goes ? before + codes[left * rows + i] : codes[right * rows + i];
        add_limbs(cell + place, cells, absolute && u[i] < 0 ? -u[i] : u[i], {limbs, bits});
    }
    __syncthreads();
    flush_limbs(cell, cells, {limbs, bits}, out + start[blockIdx.x]);
}

// Sums of u over the rows that reach each leaf of a tree: blockIdx.x is the tree.
extern "C" __global__ void leaf_sums(const byte* codes, const i64* u, i64 rows, i64 together, const Node* nodes,
                                     const i64* roots, const int* sizes, const int* bins, const byte* missing,
                                     const u64* sets, int limbs, int bits, i64* out) {
    extern __shared__ int cell[];
    const Layout layout = {bins, missing, sets};
    const Node* const tree = nodes + roots[blockIdx.x];
    const int cells = sizes[blockIdx.x];
    empty_limbs(cell, cells, {limbs, bits});
    EACH_OF_MY_ROWS(i, rows, together)
        if (u[i] != 0) add_limbs(cell + leaf_of(tree, codes, rows, i, layout), cells, u[i], {limbs, bits});
    __syncthreads();
    flush_limbs(cell, cells, {limbs, bits}, out + roots[blockIdx.x]);
}

// Columns of picked rows, each times a factor, for a covariance.
template <class Real>
__device__ void scale_columns(const byte* signs, i64 rows, const i64* picked, int count, const int* columns,
                              const Real* factor, Real* out) {
    const int column = columns[blockIdx.y];
    const byte* const group = signs + column / 8 * rows;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        out[blockIdx.y * (i64)count + i] = group[picked[i]] >> column % 8 & 1 ? factor[i] : -factor[i];
}
extern "C" __global__ void scale_columns_32(const byte* signs, i64 rows, const i64* picked, int count,
                                            const int* columns, const float* factor, float* out) {
    scale_columns<float>(signs, rows, picked, count, columns, factor, out);
}
extern "C" __global__ void scale_columns_64(const byte* signs, i64 rows, const i64* picked, int count,
                                            const int* columns, const double* factor, double* out) {
    scale_columns<double>(signs, rows, picked, count, columns, factor, out);
}

// native/prediction.cpp: the vote of trees for rows of numbers, tree after tree.
__device__ bool value_goes_left(const Node& node, double value, const u64* sets) {
    const bool missing_left = node.missing_left != 0;
    if (node.set_index < 0) return isnan(value) ? missing_left : value <= node.threshold;
    if (!(value >= 0.0 && value <= 255.0)) return missing_left;
    const unsigned category = (unsigned)value;
    return category == value ? sets[4 * node.set_index + category / 64] >> (category % 64) & 1 : missing_left;
}

template <class Number>
__device__ void add_votes(const Number* X, i64 rows, i64 row_step, i64 column_step, const Node* nodes, const i64* roots,
                          int trees, const u64* sets, const double* weights, double* out) {
    EACH_ROW(i, rows) {
        const Number* const x = X + i * row_step;
        double sum = 0.0;
        for (int t = 0; t < trees; ++t) {
            const Node* const tree = nodes + roots[t];
            int k = 0;
            while (tree[k].feature >= 0)
                k = value_goes_left(tree[k], x[tree[k].feature * column_step], sets) ? tree[k].left : tree[k].right;
            sum += weights[t] * tree[k].value;
        }
        out[i] = sum;
    }
}
extern "C" __global__ void votes_32(const float* X, i64 rows, i64 row_step, i64 column_step, const Node* nodes,
                                    const i64* roots, int trees, const u64* sets, const double* weights, double* out) {
    add_votes<float>(X, rows, row_step, column_step, nodes, roots, trees, sets, weights, out);
}
extern "C" __global__ void votes_64(const double* X, i64 rows, i64 row_step, i64 column_step, const Node* nodes,
                                    const i64* roots, int trees, const u64* sets, const double* weights, double* out) {
    add_votes<double>(X, rows, row_step, column_step, nodes, roots, trees, sets, weights, out);
}
