// Members between the steps of the splitting on a GPU: one block a member.
// Names, arrays and formulas are those of member_moves.py. NS is the number of sectors, 1 or 2.

#include "friction_tables.cuh"

// Sums over a block, to all threads.
template <int N>
__device__ void add_up(double *v) {
    __shared__ double part[N][32];
    for (int k = 0; k < N; k++)
        for (int d = 16; d; d >>= 1) v[k] += __shfl_xor_sync(~0u, v[k], d);
    __syncthreads();
    if (!(threadIdx.x & 31))
        for (int k = 0; k < N; k++) part[k][threadIdx.x >> 5] = v[k];
    __syncthreads();
    for (int k = 0; k < N; k++) {
        v[k] = part[k][0];
        for (int j = 1; j < blockDim.x / 32; j++) v[k] += part[k][j];
    }
}

// Three normal equations with a ridge: n are the entries 00, 10, 11, 20, 21 and 22, then the right sides.
__device__ void solve_three(const double *n, double *w) {
    double ridge = RIDGE * (n[0] + n[2] + n[5]);
    w[0] = w[1] = w[2] = 0.0;
    if (!(ridge > SMALLEST && ridge < LARGEST)) return;
    double p = n[0] + ridge, u = n[1] / p, v = n[3] / p;
    double q = fmax(n[2] - u * n[1], 0.0) + ridge, t = (n[4] - u * n[3]) / q;
    double r = fmax(n[5] - v * n[3] - t * t * q, 0.0) + ridge, second = n[7] - u * n[6];
    w[2] = (n[8] - v * n[6] - t * second) / r;
    w[1] = second / q - t * w[2];
    w[0] = n[6] / p - u * w[1] - v * w[2];
}

template <class C, class T>
__device__ void extrapolate_from(const C *changes, i64 count, int wide, T *z) {
    i64 size = NS * count * wide, m = blockIdx.x;
    double n[9] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, w[3];
    for (int s = 0; s < NS; s++) {
        const C *f = changes + (s * count + m) * wide;
        for (int i = threadIdx.x; i < wide; i += blockDim.x) {
            double a = read(f + i), b = read(f + size + i), c = read(f + 2 * size + i), last = read(f + 3 * size + i);
            double d[3] = {b - a, c - b, last - c};
            for (int j = 0, at = 0; j < 3; j++) {
                n[6 + j] += d[j] * last;
                for (int k = 0; k <= j; k++) n[at++] += d[j] * d[k];
            }
        }
    }
    add_up<9>(n);
    solve_three(n, w);
    for (int s = 0; s < NS; s++) {
        const C *f = changes + (s * count + m) * wide;
        T *row = z + (s * count + m) * wide;
        for (int i = threadIdx.x; i < wide; i += blockDim.x)
            write(row + i, read(row + i) - (w[0] * read(f + size + i) + w[1] * read(f + 2 * size + i) +
                                            w[2] * read(f + 3 * size + i)));
    }
}

template <class T>
__device__ void copy(const T *from, i64 m, i64 count, T *to, i64 k, i64 size, int rows, int width) {
    for (int s = 0; s < rows; s++)
        for (int i = threadIdx.x; i < width; i += blockDim.x)
            to[(s * size + k) * width + i] = from[(s * count + m) * width + i];
}

extern "C" {

__global__ void extrapolate(ELEMENTS, MEMBERS, const float *changes, double *z) {
    extrapolate_from(changes, count, 2 * h, z);
}

__global__ void extrapolate_increments(ELEMENTS, MEMBERS, const half_t *changes, half_t *increments) {
    extrapolate_from(changes, count, 2 * h, increments);
}

__global__ void part(ELEMENTS, MEMBERS, const double *z, const double *x, const double *held, const double *centred,
                     const double *shares, const i64 *place, int size, int all, i64 *kept_kind, double *kept_creepage,
                     double *kept_force, double *kept_sticks, double *kept_glides, double *kept_z, double *kept_x,
                     double *kept_held, double *kept_centred, double *kept_shares, double *ended_creepage,
                     double *ended_sticks, double *ended_glides, double *ended_x) {
    i64 m = blockIdx.x, to = place[m], last = -1 - to;
    int wide = 2 * h, whole = wide + 2 * t, ne = NS * h;
    if (to >= 0) {
        if (!threadIdx.x) kept_kind[to] = kind[m];
        copy(creepage, m, count, kept_creepage, to, size, 1, 3);
        copy(force, m, count, kept_force, to, size, 1, 2);
        copy(z, m, count, kept_z, to, size, NS, wide);
        copy(x, m, count, kept_x, to, size, NS, whole);
    } else {
        copy(creepage, m, count, ended_creepage, last, all, 1, 3);
        copy(x, m, count, ended_x, last, all, NS, whole);
    }
    if (!t) return;  // whole cells
    if (to >= 0) {
        copy(sticks, m, count, kept_sticks, to, size, 1, ne);
        copy(glides, m, count, kept_glides, to, size, 1, ne);
        copy(held, m, count, kept_held, to, size, NS, wide);
        copy(centred, m, count, kept_centred, to, size, NS, wide);
        copy(shares, m, count, kept_shares, to, size, 2, ne);
    } else {
        copy(sticks, m, count, ended_sticks, last, all, 1, ne);
        copy(glides, m, count, ended_glides, last, all, 1, ne);
    }
}
}
