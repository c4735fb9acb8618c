// Evaluates trees for rows: columns of the margin matrix, votes, and digests of columns. Small trees read all codes of
// a row at once instead of walking. Same results as native/training_votes.cpp and native/prediction.cpp
// (tests/cuda/test_part.py, tests/cuda/test_rows.py).

// A node record, as in native/trees.hpp.
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
    if (node.set_index < 0 && !node.missing_left) return code <= node.last_bin;  // a missing value's code is larger
    if (code == layout.bins[node.feature]) return layout.missing[node.feature] && node.missing_left;
    return node.set_index < 0 ? code <= node.last_bin : layout.sets[4 * node.set_index + code / 64] >> (code % 64) & 1;
}

__device__ int leaf_of(const Node* tree, const byte* codes, i64 stride, i64 i, const Layout& layout) {
    int k = 0;
    while (tree[k].feature >= 0)
        k = goes_left(tree[k], codes[tree[k].feature * stride + i], layout) ? tree[k].left : tree[k].right;
    return k;
}

// A tree of depth 2 or less without sets and without missing values on the left. A row reads all three codes at once,
// while a walk would wait for one after the other. The order is root, left child, right child; a node that is missing
// in the tree sends all rows left.
struct alignas(16) Shallow {
    int feature[3], last_bin[3];
    unsigned positive;  // one bit per leaf: whether it votes +1
    int is;             // whether the tree has this form

    __device__ int leaf_number(const byte* codes, i64 stride, i64 i) const {
        bool right[3];
#pragma unroll
        for (int k = 0; k < 3; ++k) right[k] = codes[feature[k] * stride + i] > last_bin[k];
        return right[0] ? 2 + right[2] : right[1];
    }
};

__device__ Shallow shallow_of(const Node* tree) {
    Shallow found = {{0, 0, 0}, {256, 256, 256}, 0, 1};
    int places[4] = {0, 0, 0, 0};  // the places of the leaves
    const auto take = [&](int place, const Node& node) {
        found.feature[place] = node.feature;
        found.last_bin[place] = node.last_bin;
        found.is &= node.set_index < 0 && !node.missing_left;
    };
    if (tree[0].feature >= 0) {
        take(0, tree[0]);
        for (int k = 0; k < 2; ++k) {
            const int child = k ? tree[0].right : tree[0].left;
            const bool splits = tree[child].feature >= 0;
            if (splits) take(1 + k, tree[child]);
            places[2 * k] = splits ? tree[child].left : child;
            places[2 * k + 1] = splits ? tree[child].right : child;
        }
    }
    for (int k = 0; k < 4; ++k) {
        const Node& leaf = tree[places[k]];
        found.is &= leaf.feature < 0;
        found.positive |= (unsigned)(leaf.value > 0.0) << k;
    }
    return found;
}

__device__ u64 mixed(u64 x) {  // splitmix64
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// Adds the columns of trees, from column `first` on; a column has so many `entries`, of which the rows here are some.
// There is one row of blocks per group of eight columns, so that no two blocks write to the same byte.
extern "C" __global__ void add_columns(const byte* codes, i64 stride, const byte* positive, i64 rows, const Node* nodes,
                                       const i64* roots, int trees, const int* bins, const byte* missing,
                                       const u64* sets, int first, byte* signs, i64 entries) {
    const Layout layout = {bins, missing, sets};
    const int group = first / 8 + blockIdx.y, place = group * 8 - first;  // the tree of the group's first column
    const int begin = max(place, 0), end = min(place + 8, trees);
    __shared__ Shallow shallow[8];
    for (int tree = begin + threadIdx.x; tree < end; tree += blockDim.x)
        shallow[tree - place] = shallow_of(nodes + roots[tree]);
    __syncthreads();
    byte* const out = signs + group * entries;
    EACH_ROW(i, rows) {
        const bool label = positive[i] != 0;
        unsigned bits = out[i];
#pragma unroll 4
        for (int tree = begin; tree < end; ++tree) {
            const Shallow& mine = shallow[tree - place];
            const Node* const deep = nodes + roots[tree];
            const bool vote = mine.is ? mine.positive >> mine.leaf_number(codes, stride, i) & 1
                                      : deep[leaf_of(deep, codes, stride, i, layout)].value > 0.0;
            bits |= (unsigned)(vote == label) << (tree - place);
        }
        out[i] = (byte)bits;
    }
}

// The weighted sum of the votes of trees for each row, tree by tree.
extern "C" __global__ void sum_votes(const byte* codes, i64 stride, i64 rows, const Node* nodes, const i64* roots,
                                     int trees, const int* bins, const byte* missing, const u64* sets,
                                     const double* weights, double* votes) {
    const Layout layout = {bins, missing, sets};
    EACH_ROW(i, rows) {
        double sum = 0.0;
        for (int tree = 0; tree < trees; ++tree) {
            const Node* const mine = nodes + roots[tree];
            sum += weights[tree] * mine[leaf_of(mine, codes, stride, i, layout)].value;
        }
        votes[i] = sum;
    }
}

// The digest of each column: two sums of pseudo-random numbers over the rows on which the tree is right.
extern "C" __global__ void digest_columns(const byte* signs, i64 rows, int first, int trees, u64* digests) {
    const int group = first / 8 + blockIdx.y;
    const byte* const mine = signs + group * rows;
    u64 one[8] = {}, two[8] = {};
    EACH_ROW(i, rows) {
        const u64 random_one = mixed((u64)i), random_two = mixed(~(u64)i);
        const int bits = mine[i];
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            if (!(bits >> j & 1)) continue;
            one[j] += random_one;
            two[j] += random_two;
        }
    }
#pragma unroll
    for (int j = 0; j < 8; ++j) {
        for (int step = 16; step > 0; step /= 2) {
            one[j] += __shfl_down_sync(~0u, one[j], step);
            two[j] += __shfl_down_sync(~0u, two[j], step);
        }
        const int tree = group * 8 + j - first;
        if (threadIdx.x % 32 != 0 || tree < 0 || tree >= trees) continue;
        atomicAdd(&digests[2 * tree], one[j]);
        atomicAdd(&digests[2 * tree + 1], two[j]);
    }
}

// As in native/prediction.cpp: the vote of trees for rows of numbers, tree by tree.
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
