// Searches tables of pairs of features for the best children of every root split, one block per table: the kernels of
// native/pair_tables.cpp in whole units of the grid, with the same results (tests/cuda/test_part.py).

// Sums tables along both axes, one block per table.
extern "C" __global__ void sum_tables(const int* f, const int* g, const i64* start, const int* bins, i64* tables) {
    const int F = bins[f[blockIdx.x]], G = bins[g[blockIdx.x]], width = G + 1, lane = threadIdx.x % 32;
    i64* const cell = tables + start[blockIdx.x];
    for (int k = threadIdx.x; k <= G; k += blockDim.x) {
        i64 sum = 0;
#pragma unroll 8
        for (int t = 0; t < F; ++t) cell[t * width + k] = sum += cell[t * width + k];
    }
    __syncthreads();
    for (int t = threadIdx.x / 32; t <= F; t += blockDim.x / 32) {
        i64 before = 0;
        for (int k = lane; k - lane < G; k += 32) {
            i64 sum = k < G ? cell[t * width + k] : 0;
            for (int step = 1; step < 32; step *= 2) {
                const i64 left = __shfl_up_sync(~0u, sum, step);
                if (lane >= step) sum += left;
            }
            sum += before;
            if (k < G) cell[t * width + k] = sum;
            before = __shfl_sync(~0u, sum, 31);
        }
    }
}

// As in native/pairs.hpp: the extremes of the prefix sums left and right of a split, and what the best stump pays.
constexpr i64 infinite = 1ll << 60;
struct Extremes {
    i64 high_left = -infinite, low_left = infinite, high_right = -infinite, low_right = infinite;
    __device__ void see(i64 left, i64 right) {
        high_left = max(high_left, left);
        low_left = min(low_left, left);
        high_right = max(high_right, right);
        low_right = min(low_right, right);
    }
    __device__ void reduce() {  // over the threads of a warp
        for (int step = 16; step > 0; step /= 2) {
            high_left = max(high_left, __shfl_xor_sync(~0u, high_left, step));
            low_left = min(low_left, __shfl_xor_sync(~0u, low_left, step));
            high_right = max(high_right, __shfl_xor_sync(~0u, high_right, step));
            low_right = min(low_right, __shfl_xor_sync(~0u, low_right, step));
        }
    }
};

__device__ i64 stump_value(i64 high, i64 low, i64 present, i64 absent) {
    const i64 sum = present + absent;
    const i64 most = 2 * (high + max(absent, 0ll)) - sum, least = sum - 2 * (low + min(absent, 0ll));
    return max(max(sum, -sum), max(most, least));
}

// The best children of every root split, left ones first. Of children that pay the same, the one on the first feature
// is the best; a second pass finds it, when the first one has found what the best child pays.
struct Children {
    i64* value;
    int* feature;
    i64 roots;
    bool second_pass;

    __device__ void offer(i64 at, int child, i64 pay) const {
        if (!second_pass)
            atomicMax(&value[at], pay);
        else if (value[at] == pay)
            atomicMin(&feature[at], child);
    }
    __device__ void offer(i64 root, int child, const Extremes& seen, i64 present, i64 absent, i64 all_present,
                          i64 all_absent) const {
        offer(root, child, stump_value(seen.high_left, seen.low_left, present, absent));
        offer(roots + root, child,
              stump_value(seen.high_right, seen.low_right, all_present - present, all_absent - absent));
    }
};

// Offers the children in summed tables of features without categories, with either feature as the root.
extern "C" __global__ void scan_tables(const int* f, const int* g, const i64* start, const int* bins,
                                       const byte* missing, const i64* tables, const i64* root_starts, i64 roots,
                                       int second_pass, i64* value, int* feature) {
    const int rows = f[blockIdx.x], columns = g[blockIdx.x], F = bins[rows], G = bins[columns], width = G + 1;
    const i64* const cell = tables + start[blockIdx.x];
    const i64 *const with_f = cell + (F - 1) * width, *const without_f = cell + F * width;
    const i64 both = with_f[G - 1], only_f = with_f[G], only_g = without_f[G - 1], neither = without_f[G];
    const Children children = {value, feature, roots, second_pass != 0};
    for (int t = threadIdx.x / 32; t + 1 < F; t += blockDim.x / 32) {
        const i64* const c = cell + t * width;
        for (int left = 0; left <= missing[rows]; ++left) {  // whether missing values go left
            Extremes seen;
            for (int k = threadIdx.x % 32; k + 1 < G; k += 32)
                seen.see(c[k] + (left ? without_f[k] : 0), with_f[k] + (left ? 0 : without_f[k]) - c[k]);
            seen.reduce();
            if (threadIdx.x % 32 == 0)
                children.offer(root_starts[rows] + left * F + t, columns, seen, c[G - 1] + (left ? only_g : 0),
                               c[G] + (left ? neither : 0), both + only_g, only_f + neither);
        }
    }
    for (int k = threadIdx.x; k + 1 < G; k += blockDim.x)
        for (int left = 0; left <= missing[columns]; ++left) {
            Extremes seen;
            for (int t = 0; t + 1 < F; ++t) {
                const i64* const c = cell + t * width;
                seen.see(c[k] + (left ? c[G] : 0), c[G - 1] + (left ? 0 : c[G]) - c[k]);
            }
            children.offer(root_starts[columns] + left * G + k, rows, seen, with_f[k] + (left ? only_f : 0),
                           without_f[k] + (left ? neither : 0), both + only_f, only_g + neither);
        }
}
