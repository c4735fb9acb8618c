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

// A unit for each of the first `count` rows that may take more; `open` is what count_open found.
extern "C" __global__ void give_first(double* d, const double* all_units, i64 step, i64 rows, int takers,
                                      const double* open, double count) {
    const PerRow units = {all_units, step};
    __shared__ int in_warp[32];
    __shared__ double before;  // rows of the stretches and tiles before
    double mine = 0.0;
    for (int block = threadIdx.x; block < blockIdx.x; block += blockDim.x) mine += open[block];
    mine = sum_over_block(mine);
    if (threadIdx.x == 0) before = mine;
    __syncthreads();
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const i64 end = stretch_begin(rows, blockIdx.x + 1);
    for (i64 tile = stretch_begin(rows, blockIdx.x); tile < end && before < count; tile += blockDim.x) {
        const i64 i = tile + threadIdx.x;
        const bool takes = i < end && takes_more(d[i], units[i], takers);
        const unsigned votes = __ballot_sync(~0u, takes);
        if (lane == 0) in_warp[warp] = __popc(votes);
        __syncthreads();
        int place = __popc(votes & ((1u << lane) - 1)), all = 0;
        for (int w = 0; w < warps; ++w) {
            if (w < warp) place += in_warp[w];
            all += in_warp[w];
        }
        if (takes && before + place < count) d[i] += 0x1p-52;
        __syncthreads();
        if (threadIdx.x == 0) before += all;
        __syncthreads();
    }
}

// The largest d / prior of every so many rows, for each block.
extern "C" __global__ void densest(const double* d, const double* all_prior, i64 step, i64 rows, i64 stride,
                                   double* out) {
    const PerRow prior = {all_prior, step};
    double largest = 0.0;
    EACH_ROW(k, (rows + stride - 1) / stride) largest = fmax(largest, d[k * stride] / prior[k * stride]);
    largest = largest_over_block(largest);
    if (threadIdx.x == 0) out[blockIdx.x] = largest;
}

// Which of every so many rows can move, see `Distributions.free`.
extern "C" __global__ void can_move(const double* d, const double* all_prior, const double* all_caps, i64 step,
                                    i64 rows, i64 stride, double least, byte* out) {
    const PerRow prior = {all_prior, step}, caps = {all_caps, step};
    EACH_ROW(k, (rows + stride - 1) / stride) {
        const i64 i = k * stride;
        out[k] = d[i] < (1.0 - 1e-9) * caps[i] && d[i] > least * prior[i];
    }
}
