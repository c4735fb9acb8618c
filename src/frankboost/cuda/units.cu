// Units that rounding left of a distribution, and the rows whose weight can move.

// Blocks have stretches of rows, so that those of the first block come first.
__device__ i64 stretch_begin(i64 rows, int block) { return rows * block / gridDim.x; }

// Who may take more: 0 for rows with weight, 1 for rows below their caps, 2 for all.
__device__ bool takes_more(double d, double units, int takers) {
    return takers == 2 || (units * 0x1p-52 - d > 0.0 && (takers == 1 || d > 0.0));
}

// How many rows of each stretch may take more.
extern "C" __global__ void count_open(const double* d, const double* all_units, i64 step, i64 rows, int takers,
                                      double* out) {
    const PerRow units = {all_units, step};
    const i64 end = stretch_begin(rows, blockIdx.x + 1);
    double open = 0.0;
    for (i64 i = stretch_begin(rows, blockIdx.x) + threadIdx.x; i < end; i += blockDim.x)
        open += takes_more(d[i], units[i], takers);
    open = sum_over_block(open);
    if (threadIdx.x == 0) out[blockIdx.x] = open;
}

// How many rows the blocks before this one have, for every thread; counts are `step` apart.
__device__ double rows_before(const double* counts, int step) {
    __shared__ double before;
    double mine = 0.0;
    for (int block = threadIdx.x; block < blockIdx.x; block += blockDim.x) mine += counts[block * step];
    mine = sum_over_block(mine);
    if (threadIdx.x == 0) before = mine;
    __syncthreads();
    return before;
}

// How many threads of the block before this one say yes, and how many in all.
__device__ int yes_before(bool yes, int& all) {
    __shared__ int in_warp[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned votes = __ballot_sync(~0u, yes);
    __syncthreads();  // until all have read what was there
    if (lane == 0) in_warp[warp] = __popc(votes);
    __syncthreads();
    int before = __popc(votes & ((1u << lane) - 1));
    all = 0;
    for (int w = 0; w < blockDim.x / 32; ++w) {
        if (w < warp) before += in_warp[w];
        all += in_warp[w];
    }
    return before;
}

// A unit for each of the first `count` rows that may take more; `open` is what count_open found.
extern "C" __global__ void give_first(double* d, const double* all_units, i64 step, i64 rows, int takers,
                                      const double* open, double count) {
    const PerRow units = {all_units, step};
    const i64 end = stretch_begin(rows, blockIdx.x + 1);
    double before = rows_before(open, 1);
    int all = 0;
    for (i64 tile = stretch_begin(rows, blockIdx.x); tile < end && before < count; tile += blockDim.x, before += all) {
        const i64 i = tile + threadIdx.x;
        const bool takes = i < end && takes_more(d[i], units[i], takers);
        const int place = yes_before(takes, all);
        if (takes && before + place < count) d[i] += 0x1p-52;
    }
}

// Rows `first`, `first + stride`, and so on.
struct Strided {
    i64 first, stride, rows;
    __device__ i64 count() const { return (rows - first + stride - 1) / stride; }
    __device__ i64 operator[](i64 k) const { return first + k * stride; }
};

// The largest d / prior and the largest d of such rows, for each block.
extern "C" __global__ void largest(const double* d, const double* all_prior, i64 step, i64 rows, i64 first, i64 stride,
                                   double* out) {
    const PerRow prior = {all_prior, step};
    const Strided some = {first, stride, rows};
    double density = 0.0, mass = 0.0;
    EACH_ROW(k, some.count()) {
        const i64 i = some[k];
        density = fmax(density, d[i] / prior[i]);
        mass = fmax(mass, d[i]);
    }
    density = largest_over_block(density);
    mass = largest_over_block(mass);
    if (threadIdx.x == 0) {
        out[blockIdx.x * 2] = density;
        out[blockIdx.x * 2 + 1] = mass;
    }
}

// See `Distributions.free`.
__device__ bool can_move(double d, double prior, double caps, double density, double mass) {
    return d < (1.0 - 1e-9) * caps && d > fmin(density * prior, mass);
}

// How many of such rows can move, and their weight, for each stretch.
extern "C" __global__ void count_moving(const double* d, const double* all_prior, const double* all_caps, i64 step,
                                        i64 rows, i64 first, i64 stride, double density, double mass, double* out) {
    const PerRow prior = {all_prior, step}, caps = {all_caps, step};
    const Strided some = {first, stride, rows};
    const i64 end = stretch_begin(some.count(), blockIdx.x + 1);
    double count = 0.0, weight = 0.0;
    for (i64 k = stretch_begin(some.count(), blockIdx.x) + threadIdx.x; k < end; k += blockDim.x) {
        const i64 i = some[k];
        if (!can_move(d[i], prior[i], caps[i], density, mass)) continue;
        count += 1.0;
        weight += d[i];
    }
    count = sum_over_block(count);
    weight = sum_over_block(weight);
    if (threadIdx.x == 0) {
        out[blockIdx.x * 2] = count;
        out[blockIdx.x * 2 + 1] = weight;
    }
}

// Which these are, in order; `counts` is what count_moving found.
extern "C" __global__ void list_moving(const double* d, const double* all_prior, const double* all_caps, i64 step,
                                       i64 rows, i64 first, i64 stride, double density, double mass,
                                       const double* counts, i64* out) {
    const PerRow prior = {all_prior, step}, caps = {all_caps, step};
    const Strided some = {first, stride, rows};
    const i64 end = stretch_begin(some.count(), blockIdx.x + 1);
    i64 before = (i64)rows_before(counts, 2);
    int all = 0;
    for (i64 tile = stretch_begin(some.count(), blockIdx.x); tile < end; tile += blockDim.x, before += all) {
        const i64 k = tile + threadIdx.x, i = some[k < end ? k : tile];
        const bool moves = k < end && can_move(d[i], prior[i], caps[i], density, mass);
        const int place = yes_before(moves, all);
        if (moves) out[before + place] = i;
    }
}
