// Computes products of columns of signs over picked rows; column -1 is all ones. Each kernel does what one step of
// native/sign_covariance.cpp or `MarginMatrix.covariance` does, with the same bits (tests/cuda/test_part.py).

__device__ bool is_plus(const byte* signs, i64 rows, int column, i64 i) {
    return column < 0 || signs[max(column, 0) / 8 * rows + i] >> column % 8 & 1;
}

// out = the columns times a factor per row, in pieces of the rows that are padded with 0. One row of blocks per column.
extern "C" __global__ void scale_columns(const byte* signs, i64 rows, const i64* picked, int count, const int* columns,
                                         const double* factor, int pieces, int width, double* out) {
    const int column = columns[blockIdx.y];
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < pieces * width; k += gridDim.x * blockDim.x) {
        const int piece = k / width;
        const i64 i = piece * (i64)count / pieces + k % width, end = (piece + 1) * (i64)count / pieces;
        double scaled = 0.0;
        if (i < end) scaled = is_plus(signs, rows, column, picked[i]) ? factor[i] : -factor[i];
        out[(piece * (i64)gridDim.y + blockIdx.y) * width + k % width] = scaled;
    }
}

// out has row k as often as the difference of ends[k] and the end before it.
extern "C" __global__ void repeat_rows(const i64* rows, const int* ends, int count, int copies, i64* out) {
    for (int copy = blockIdx.x * blockDim.x + threadIdx.x; copy < copies; copy += gridDim.x * blockDim.x) {
        int low = 0, high = count - 1;  // a binary search for the first row whose end is behind the copy
        while (low < high) {
            const int middle = (low + high) / 2;
            if (ends[middle] > copy)
                high = middle;
            else
                low = middle + 1;
        }
        out[copy] = rows[low];
    }
}

// Packs the signs of the picked rows as bits, 32 rows per word. One row of blocks per column.
extern "C" __global__ void pack_columns(const byte* signs, i64 rows, const i64* picked, int count, const int* columns,
                                        int words, unsigned* out) {
    const int column = columns[blockIdx.y];
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < words * 32; k += gridDim.x * blockDim.x) {
        const unsigned word = __ballot_sync(~0u, k < count && is_plus(signs, rows, column, picked[k]));
        if (threadIdx.x % 32 == 0) out[blockIdx.y * (i64)words + k / 32] = word;
    }
}

// The products of packed columns: the number of rows, less twice the number of those in which two columns differ. One
// warp per pair of columns.
extern "C" __global__ void compare_columns(const unsigned* bits, int words, int count, int columns, double* out) {
    const int warps = blockDim.x / 32, lane = threadIdx.x % 32;
    const i64 pairs = columns * (i64)columns;
    for (i64 pair = blockIdx.x * (i64)warps + threadIdx.x / 32; pair < pairs; pair += gridDim.x * (i64)warps) {
        const i64 a = pair / columns, b = pair % columns;
        if (a > b) continue;
        int differ = 0;
        for (int w = lane; w < words; w += 32) differ += __popc(bits[a * words + w] ^ bits[b * words + w]);
        for (int step = 16; step > 0; step /= 2) differ += __shfl_down_sync(~0u, differ, step);
        if (lane == 0) out[a * columns + b] = out[b * columns + a] = count - 2.0 * differ;
    }
}
