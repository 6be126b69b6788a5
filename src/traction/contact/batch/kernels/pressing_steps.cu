// Steps of the splitting for the pressures of the members of a batch on a GPU: one block a member, one thread a
// group of images. Names, arrays and formulas are those of pressing_steps.py.

typedef long long i64;

struct Quarters { double v[4]; };

__device__ __forceinline__ Quarters turn(Quarters q, double w) {  // both ways: its inverse is itself over 4
    double a = q.v[0], b = q.v[1], c = q.v[2], d = q.v[3];
    return {{(a + b + c + d) * w, (a - b + c - d) * w, (a + b - c - d) * w, (a - b - c + d) * w}};
}
__device__ __forceinline__ Quarters unfold(const double *a, i64 m, i64 count, int h, int o, double w) {
    Quarters q;
    for (int s = 0; s < 4; s++) q.v[s] = a[(s * count + m) * h + o];
    return turn(q, w);
}
__device__ __forceinline__ void fold(double *a, i64 m, i64 count, int h, int o, double w, Quarters q) {
    q = turn(q, 0.25 / w);
    for (int s = 0; s < 4; s++) a[(s * count + m) * h + o] = q.v[s];
}
__device__ double reduce(double v, bool sum) {  // to all threads
    __shared__ double part[32];
    __shared__ double all;
    for (int d = 16; d; d >>= 1) {
        double other = __shfl_xor_sync(~0u, v, d);
        v = sum ? v + other : fmax(v, other);
    }
    __syncthreads();
    if (!(threadIdx.x & 31)) part[threadIdx.x >> 5] = v;
    __syncthreads();
    if (!threadIdx.x) {
        for (int k = 1; k < blockDim.x / 32; k++) v = sum ? v + part[k] : fmax(v, part[k]);
        all = v;
    }
    __syncthreads();
    return all;
}

#define ELEMENTS const double *weight, const double *share, const double *ones, const double *edge, int h
#define MEMBERS const i64 *kind, const double *force, double *approach, i64 count
#define PLACES for (int o = threadIdx.x; o < h; o += blockDim.x)

extern "C" {

__global__ void advance_pressures(ELEMENTS, MEMBERS, const double *gaps, double total, double tau, int check, double *x,
                                  double *z, double *errors) {
    i64 m = blockIdx.x, k = kind[m];
    double given = force[m], found = 0.0, delta = approach[m], worst = 0.0, peak = 0.0;
    if (given == given) {
        PLACES found += (x[m * h + o] - gaps[4 * k * h + o]) / weight[o];
        delta = (given - reduce(found, true)) / (tau * total);
        if (!threadIdx.x) approach[m] = delta;
    }
    PLACES {
        double w = weight[o];
        Quarters X, Z = unfold(z, m, count, h, o, w);
        for (int s = 0; s < 4; s++)
            X.v[s] = x[(s * count + m) * h + o] + (tau * delta * ones[s * h + o] - gaps[(4 * k + s) * h + o]);
        X = turn(X, w);
        for (int q = 0; q < 4; q++) {
            double p = X.v[q];
            if (check) {
                double miss = fabs(p - fmax(0.0, p - (Z.v[q] - p) / tau));
                worst = fmax(worst, miss < 1e300 ? miss : 1e300);  // what is not a number must not look converged
                peak = fmax(peak, p);
            }
            X.v[q] = fmax(0.0, 2.0 * p - Z.v[q]);
            Z.v[q] += STEP * (X.v[q] - p);
        }
        if (check) fold(x, m, count, h, o, w, X);
        fold(z, m, count, h, o, w, Z);
    }
    if (!check) return;
    worst = reduce(worst, false);
    peak = reduce(peak, false);
    if (!threadIdx.x) errors[m] = peak > 0.0 ? worst / peak : 1e300;
}

__global__ void settle_pressures(ELEMENTS, MEMBERS, double *x) {
    i64 m = blockIdx.x;
    double given = force[m], total = 0.0;
    PLACES {
        Quarters P = unfold(x, m, count, h, o, weight[o]);
        for (int q = 0; q < 4; q++) total += share[q * h + o] * fmax(0.0, P.v[q]);
    }
    total = reduce(total, true);
    double factor = given == given && total > 0.0 ? given / total : 1.0;
    PLACES {
        Quarters P = unfold(x, m, count, h, o, weight[o]);
        for (int q = 0; q < 4; q++) P.v[q] = factor * fmax(0.0, P.v[q]);
        fold(x, m, count, h, o, weight[o], P);
    }
}

__global__ void certify_pressures(ELEMENTS, MEMBERS, const double *p, const double *displacement, const double *gaps,
                                  double *found) {
    i64 m = blockIdx.x;
    double sum[8] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, delta = approach[m];
    PLACES {
        Quarters P = unfold(p, m, count, h, o, weight[o]);
        for (int q = 0; q < 4; q++) sum[5] = fmax(sum[5], P.v[q]);
    }
    double peak = reduce(sum[5], false);
    PLACES {
        double w = weight[o];
        Quarters P = unfold(p, m, count, h, o, w), U = unfold(displacement, m, count, h, o, w);
        Quarters G = unfold(gaps + 4 * kind[m] * h, 0, 1, h, o, w);
        for (int q = 0; q < 4; q++) {
            double distance = G.v[q] + U.v[q] - delta;
            distance = fabs(distance) < 1e300 ? distance : -1e300;
            sum[0] = fmax(sum[0], -distance);
            if (P.v[q] > ROUNDING * peak) {
                sum[1] = fmax(sum[1], fabs(distance));
                sum[2] += share[q * h + o] * P.v[q] * fabs(distance);
                sum[3] = fmax(sum[3], fabs(delta - G.v[q]));
                sum[4] += share[q * h + o] * P.v[q];
                sum[6] += share[q * h + o];
                sum[7] += share[q * h + o] * edge[q * h + o];
            }
        }
    }
    for (int k = 0; k < 8; k++) {
        double v = reduce(sum[k], k == 2 || k == 4 || k > 5);
        if (!threadIdx.x) found[8 * m + k] = v;
    }
}
}
