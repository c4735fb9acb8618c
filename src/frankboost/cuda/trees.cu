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

__device__ int leaf_of(const Node* tree, const byte* codes, i64 stride, i64 i, const Layout& layout) {
    int k = 0;
    while (tree[k].feature >= 0)
        k = goes_left(tree[k], codes[tree[k].feature * stride + i], layout) ? tree[k].left : tree[k].right;
    return k;
}

__device__ u64 mixed(u64 x) {  // splitmix64
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// The column of a tree, into a bit of its group.
__device__ void add_column(const byte* codes, i64 stride, const byte* positive, i64 rows, const Node* tree,
                           const Layout& layout, byte* group, int bit, u64* digest) {
    u64 one = 0, two = 0;
    EACH_ROW(i, rows) {
        const bool right = (tree[leaf_of(tree, codes, stride, i, layout)].value > 0.0) == (positive[i] != 0);
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
extern "C" __global__ void add_columns(const byte* codes, i64 stride, const byte* positive, i64 rows, const Node* nodes,
                                       const i64* roots, int trees, const int* bins, const byte* missing,
                                       const u64* sets, int first, byte* signs, u64* digests) {
    const Layout layout = {bins, missing, sets};
    const int group = first / 8 + blockIdx.y;
    for (int column = group * 8 < first ? first : group * 8; column < group * 8 + 8 && column < first + trees; ++column)
        add_column(codes, stride, positive, rows, nodes + roots[column - first], layout, signs + group * rows,
                   column % 8, digests + 2 * (column - first));
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
