// Computes margins, distributions, edges and soft margins: one pass over the rows per kernel, each block with sums of
// its own. Every kernel gives the same bits as its counterpart in native/projection.cpp, sign_matrix.cpp or
// soft_margin.cpp (tests/cuda/test_part.py).

// Numbers per row, such as sample weights, caps or the prior; a single number if all rows have the same.
struct PerRow {
    const double* entries;
    i64 step;  // 1, or 0
    __device__ double operator[](i64 i) const { return entries[i * step]; }
};

#define EACH_ROW(i, rows) \
    for (i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x; i < rows; i += (i64)gridDim.x * blockDim.x)

extern "C" __global__ void projection_sums(const double* margins, const double* weights, i64 step, i64 rows,
                                           double start, double eta, double shift, double limit, double capped_heaviest,
                                           double capped_coarse, double capped_fine, double free_heaviest,
                                           double free_coarse, double free_fine, double* out) {
    const PerRow weight = {weights, step};
    ExactSum capped = {0.0, 0.0}, free = {0.0, 0.0};
    double top = __longlong_as_double(0xfff0000000000000ll);
    EACH_ROW(i, rows) {
        const double key = start - eta * margins[i], below = key - shift;
        if (key >= limit) {
            capped.add(fmin(weight[i], capped_heaviest), capped_coarse, capped_fine);
        } else {
            const double mass = weight[i] * exp_negative(below < 0.0 ? below : 0.0);
            free.add(fmin(mass, free_heaviest), free_coarse, free_fine);
            top = fmax(top, key);
        }
    }
    store(capped, free, top, out);
}

// d, rounded down to the grid; per block, the sums from which the minimum follows, and the sum of d.
extern "C" __global__ void fill(const double* margins, const double* all_caps, const double* all_units, i64 step,
                                i64 rows, double start, double eta, double shift, double limit, double scale,
                                double keys_coarse, double keys_fine, double mass_coarse, double mass_fine, double* d,
                                double* out) {
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

// The sum of a group of eight columns times their weights, for each pattern of signs; added up in the order of
// native/sign_matrix.cpp. One block per group.
extern "C" __global__ void sign_tables(const double* weights, double* out) {
    const double* const mine = weights + blockIdx.x * 8;
    for (int signs = threadIdx.x; signs < 256; signs += blockDim.x) {
        double sum = 0.0;
        for (int j = 0; j < 8; ++j) sum -= mine[j];
        for (int j = 0; j < 8; ++j)
            if (signs >> j & 1) sum += 2.0 * mine[j];
        out[blockIdx.x * 256 + signs] = sum;
    }
}

// out = A w, from these tables, group by group.
extern "C" __global__ void margins(const byte* signs, const double* tables, int groups, i64 rows, double* out) {
    EACH_ROW(i, rows) {
        double sum = 0.0;
        for (int g = 0; g < groups; ++g) sum += tables[g * 256 + signs[g * rows + i]];
        out[i] = sum;
    }
}

// The least and the largest margin of each block's rows; `some` = every `stride`-th margin from `first` on.
extern "C" __global__ void look_at(const double* margins, i64 rows, i64 first, i64 stride, double* extremes,
                                   double* some) {
    const double infinite = __longlong_as_double(0x7ff0000000000000ll);
    double least = infinite, largest = -infinite;
    EACH_ROW(i, rows) {
        least = fmin(least, margins[i]);
        largest = fmax(largest, margins[i]);
    }
    least = -largest_over_block(-least);
    largest = largest_over_block(largest);
    if (threadIdx.x == 0) {
        extremes[blockIdx.x * 2] = least;
        extremes[blockIdx.x * 2 + 1] = largest;
    }
    EACH_ROW(k, (rows - first + stride - 1) / stride) some[k] = margins[first + k * stride];
}

// The edges of the eight columns of a group: twice the mass of the rows on which a hypothesis is right, less the mass
// of all rows. The sums are exact, as d is on the grid. One row of blocks per group; reading d once for several groups
// is slower.
extern "C" __global__ void edges(const byte* signs, const double* d, i64 rows, double* out) {
    const byte* const mine = signs + blockIdx.y * rows;
    double right[8] = {}, all = 0.0;
    EACH_ROW(i, rows) {
        const double mass = d[i];
        const int bits = mine[i];
        all += mass;
#pragma unroll
        for (int j = 0; j < 8; ++j)
            if (bits >> j & 1) right[j] += mass;
    }
#pragma unroll
    for (int j = 0; j < 8; ++j) {
        const double edge = sum_over_block(2.0 * right[j] - all);
        if (threadIdx.x == 0) out[(blockIdx.y * 8 + j) * (i64)gridDim.x + blockIdx.x] = edge;
    }
}

// The weight, or the number of rows if all weigh 1, in each bucket of margins, see native/soft_margin.hpp.
template <class Sum>
__device__ void fill_buckets(const double* margins, const double* weight, i64 rows, double least, double most,
                             double factor, double heaviest, double magic, Sum* out) {
    __shared__ Sum mine[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) mine[k] = 0;
    __syncthreads();
    EACH_ROW(i, rows) {
        const double margin = margins[i];
        if (!(margin >= least && margin <= most)) continue;
        atomicAdd(&mine[(int)((margin - least) * factor)],
                  weight ? (Sum)((fmin(weight[i], heaviest) + magic) - magic) : (Sum)1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        if (mine[k] != 0) atomicAdd(&out[k], mine[k]);
}
extern "C" __global__ void count_buckets(const double* margins, i64 rows, double least, double most, double factor,
                                         unsigned* out) {
    fill_buckets<unsigned>(margins, nullptr, rows, least, most, factor, 1.0, 0.0, out);
}
extern "C" __global__ void weigh_buckets(const double* margins, const double* weight, i64 rows, double least,
                                         double most, double factor, double heaviest, double magic, double* out) {
    fill_buckets<double>(margins, weight, rows, least, most, factor, heaviest, magic, out);
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
