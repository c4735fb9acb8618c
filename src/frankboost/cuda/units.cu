// Hands out the units of the grid that rounding left over, and finds the free rows, whose weight can move. Both need
// the order of the rows: each block has a stretch of neighbouring rows, and counts of the blocks before it give its
// offset. Same results as native/grid.cpp and `HostPart` (tests/cuda/test_part.py).

// The first row of a block's stretch.
__device__ i64 stretch_begin(i64 rows, int block) { return rows * block / gridDim.x; }

// Whether a row may take more; `takers` is 0 for rows with weight, 1 for rows below their caps, 2 for all.
__device__ bool takes_more(double d, double units, int takers) {
    return takers == 2 || (units * 0x1p-52 - d > 0.0 && (takers == 1 || d > 0.0));
}

// out[block] = the number of rows of the block's stretch that may take more.
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

// The sum of the counts of the blocks before this one, for every thread; the counts are `step` apart.
__device__ double rows_before(const double* counts, int step) {
    __shared__ double before;
    double mine = 0.0;
    for (int block = threadIdx.x; block < blockIdx.x; block += blockDim.x) mine += counts[block * step];
    mine = sum_over_block(mine);
    if (threadIdx.x == 0) before = mine;
    __syncthreads();
    return before;
}

// The number of threads before this one, in the block, whose `yes` is true; `all` becomes the number in the whole
// block.
__device__ int yes_before(bool yes, int& all) {
    __shared__ int in_warp[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned votes = __ballot_sync(~0u, yes);
    __syncthreads();  // all threads have read the counts of the last call
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

// Gives a unit to each of the first `count` rows that may take more; `open` is the result of count_open.
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

// The largest d / prior and the largest d over every `stride`-th row, for each block.
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

// Whether a row is free, see `Part.free`.
__device__ bool can_move(double d, double prior, double caps, double density, double mass) {
    return d < (1.0 - 1e-9) * caps && d > fmin(density * prior, mass);
}

// The number of free rows among every `stride`-th row, and their weight, for each stretch.
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

// The numbers of these rows, in order; `counts` is the result of count_moving.
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
