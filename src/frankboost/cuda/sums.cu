// What the kernels of all files share: exponentials, exact sums, and sums over a block. The compiler must not fuse a
// product with a sum (an option says so), and all sums are of rounded terms or whole numbers, exact in any order. So
// the results have the same bits as those of the CPU.

typedef unsigned char byte;
typedef unsigned long long u64;
typedef long long i64;

// As in native/exponentials.hpp: e^x for x <= 0.
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

// As in native/projection.hpp: a sum in two exact parts.
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
    return x;  // valid in the first thread
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

// Stores five numbers per block: KeySums of native/projection.hpp.
__device__ void store(ExactSum capped, ExactSum free, double top, double* out) {
    const double numbers[4] = {capped.high, capped.low, free.high, free.low};
    for (int k = 0; k < 4; ++k) {
        const double sum = sum_over_block(numbers[k]);
        if (threadIdx.x == 0) out[blockIdx.x * 6 + k] = sum;
    }
    top = largest_over_block(top);
    if (threadIdx.x == 0) out[blockIdx.x * 6 + 4] = top;
}
