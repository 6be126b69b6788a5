// Steps of the splitting for the members of a batch on a GPU: one block a member, one thread a pair of elements.
// Names, arrays and formulas are those of splitting_steps.py. NS is the number of sectors, 1 or 2.

#include "friction_tables.cuh"

struct Field { double xa, ya, xb, yb; };  // of a pair of elements; b is unused where NS is 1

struct Elements {
    const double *weight, *share, *bound;
    const i64 *exits;
    const double *own, *turn, *least, *arms;
    int h;  // pairs
    double tau;
    int t;  // pairs at the exit
};

struct Members {
    const i64 *kind;
    double *creepage;
    const double *force;
    double *sticks, *glides;
    i64 count;
};

// Fields of a pair from sectors (NS, count, width), of which the first 2 h columns are x and y.
template <class T>
__device__ __forceinline__ Field unfold(const T *a, i64 m, i64 count, int width, int h, int o, double w) {
    const T *row = a + m * width;
    double e = read(row + o), q = read(row + h + o);
#if NS == 1
    return {e, q, 0.0, 0.0};
#else
    row += count * width;
    double f = read(row + o), r = read(row + h + o);
    return {(e + f) * w, (r + q) * w, (e - f) * w, (r - q) * w};
#endif
}

template <class T>
__device__ __forceinline__ void fold(T *a, i64 m, i64 count, int width, int h, int o, double w, Field v) {
    T *row = a + m * width;
#if NS == 1
    write(row + o, v.xa);
    write(row + h + o, v.ya);
#else
    double u = w < 1.0 ? w : 0.5;  // 0.5/w, without a division
    write(row + o, (v.xa + v.xb) * u);
    write(row + h + o, (v.ya - v.yb) * u);
    row += count * width;
    write(row + o, (v.xa - v.xb) * u);
    write(row + h + o, (v.ya + v.yb) * u);
#endif
}

__device__ __forceinline__ Field add(Field x, double a, Field y) {
    return {x.xa + a * y.xa, x.ya + a * y.ya, x.xb + a * y.xb, x.yb + a * y.yb};
}
__device__ __forceinline__ Field times(double a, Field x) { return {a * x.xa, a * x.ya, a * x.xb, a * x.yb}; }

__device__ __forceinline__ void hold(double &x, double &y, double g) {
    double size = x * x + y * y;
    if (size > g * g) {
        double f = g * rsqrt(size);
        x *= f;
        y *= f;
    }
}
__device__ __forceinline__ Field project(Field v, double ga, double gb) {
    hold(v.xa, v.ya, ga);
    hold(v.xb, v.yb, gb);
    return v;
}

// W of a pair: creepages times rigid fields (3, NS, 2 h).
__device__ __forceinline__ Field combine(const double *rigid, const double *c, int h, int o, double w) {
    double sum[2 * NS];
    for (int i = 0; i < 2 * NS; i++) {
        const double *field = rigid + i * h + o;
        sum[i] = c[0] * field[0] + c[1] * field[2 * NS * h] + c[2] * field[4 * NS * h];
    }
    return unfold(sum, 0, 1, 2, 1, 0, w);
}

__device__ void largest(double v, double *result) {
    __shared__ double part[32];
    for (int d = 16; d; d >>= 1) v = fmax(v, __shfl_xor_sync(~0u, v, d));
    __syncthreads();
    if (!(threadIdx.x & 31)) part[threadIdx.x >> 5] = v;
    __syncthreads();
    if (!threadIdx.x) {
        for (int k = 1; k < blockDim.x / 32; k++) v = fmax(v, part[k]);
        *result = v;
    }
}
__device__ double total(double v) {  // to all threads
    __shared__ double part[32];
    __shared__ double all;
    for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
    __syncthreads();
    if (!(threadIdx.x & 31)) part[threadIdx.x >> 5] = v;
    __syncthreads();
    if (!threadIdx.x) {
        for (int k = 1; k < blockDim.x / 32; k++) v += part[k];
        all = v;
    }
    __syncthreads();
    return all;
}

__device__ __forceinline__ double miss(double px, double py, double sx, double sy, double g) {
    double rx = px - sx, ry = py - sy;
    hold(rx, ry, g);
    double ex = px - rx, ey = py - ry, v = ex * ex + ey * ey;
    return v < 1e300 ? v : 1e300;  // fmax drops what is not a number: it must not look converged
}

__device__ __forceinline__ void find_shares(const Elements &E, double sticks, int e, double px, double py, double sx,
                                            double sy, double g, double &stick, double &glide) {
    int ne = NS * E.h;
    double ox = E.own[e], oy = E.own[ne + e];
    double hx = ((ox + sticks * E.own[2 * ne + e]) * px - sx) / ox;
    double hy = ((oy + sticks * E.own[3 * ne + e]) * py - sy) / oy;
    double demand = sqrt(hx * hx + hy * hy) / g;
    stick = E.exits[e] >= 0 ? fmin(1.0, fmax(0.0, 1.0 - demand)) : 0.0;
    glide = fmin(1.0, fmax(0.0, demand - GLIDES));
}

__device__ __forceinline__ void follow(const Elements &E, const Members &M, i64 m, int e, double px, double py, double sx,
                                       double sy, double g, double *shares, double &doubt, double &change) {
    if (g <= 0.0) return;
    i64 at = m * NS * E.h + e;
    double stick, glide;
    find_shares(E, M.sticks[at], e, px, py, sx, sy, g, stick, glide);
    change = stick - M.sticks[at];
    doubt = fmax(doubt, fmax(fabs(change), fabs(glide - M.glides[at])));
    if (shares) {
        shares[at] = stick;
        shares[M.count * NS * E.h + at] = glide;
    }
}

__device__ __forceinline__ Field share_slip(const Elements &E, const Members &M, i64 m, int o, Field held, Field centred,
                                            double spin) {
    const double *glides = M.glides + m * NS * E.h;
    double a = glides[o];
    Field d;
    d.xa = (1.0 - a) * held.xa + a * centred.xa;
    d.ya = (1.0 - a) * held.ya + a * (centred.ya + spin * E.turn[o]);
#if NS == 2
    double b = glides[E.h + o];
    d.xb = (1.0 - b) * held.xb + b * centred.xb;
    d.yb = (1.0 - b) * held.yb + b * (centred.yb + spin * E.turn[E.h + o]);
#else
    d.xb = d.yb = 0.0;
#endif
    return d;
}

template <class T>
__device__ __forceinline__ void append(const Elements &E, const Members &M, i64 m, int o, T *x, int width, Field v,
                                       double above, double below) {
    i64 k = E.exits[o];
    if (k < 0) return;
    v = {v.xa * above, v.ya * above, v.xb * below, v.yb * below};
    fold(x + 2 * E.h, m, M.count, width, E.t, (int)k, E.weight[o], v);
}

__device__ __forceinline__ void meet(double fx, double fy, const double *sums, double gx, double gy, double *c) {
    bool by_x = gx == gx, by_y = gy == gy;
    double rx = fx - c[2] * sums[4] - gx, ry = fy - c[2] * sums[5] - gy;
    if (by_x && by_y) {
        double det = sums[0] * sums[3] - sums[2] * sums[1];
        c[0] = (rx * sums[3] - ry * sums[2]) / det;
        c[1] = (ry * sums[0] - rx * sums[1]) / det;
    } else if (by_x) {
        c[0] = (rx - c[1] * sums[2]) / sums[0];
    } else {
        c[1] = (ry - c[0] * sums[1]) / sums[3];
    }
}

#define HEAD                                                                                                          \
    Elements E = {weight, share, bound, exits, own, turn, least, arms, h, tau, t};                                               \
    Members M = {kind, creepage, force, sticks, glides, count};                                                       \
    i64 m = blockIdx.x;                                                                                               \
    const double *G = bound + kind[m] * NS * h;                                                                       \
    double *c = creepage + 3 * m;                                                                                     \
    int wide = 2 * h, all = 2 * h + 2 * t;                                                                            \
    (void)E, (void)M, (void)G, (void)c, (void)wide, (void)all;
#define PAIRS for (int o = threadIdx.x; o < h; o += blockDim.x)
#define STICKS(e) (t && (NS == 2 || (e) < h) ? sticks[m * NS * h + (e)] : 0.0)
#define GA G[o]
#define GB (NS == 2 ? G[h + o] : 1.0)

template <class T>
__device__ void resolve_forces(const T *x, const Elements &E, const Members &M, i64 m, int width, double &fx, double &fy) {
    double sx = 0.0, sy = 0.0;
    for (int o = threadIdx.x; o < E.h; o += blockDim.x) {
        sx += read(x + m * width + o) / E.weight[o];
        sy += read(x + ((NS - 1) * M.count + m) * width + E.h + o) / E.weight[o];
    }
    fx = total(sx);
    fy = total(sy);
}

__device__ void find_creepage(const double *x, const Elements &E, const Members &M, i64 m, int width,
                              const double *sums, double *found) {
    double gx = M.force[2 * m], gy = M.force[2 * m + 1], *c = M.creepage + 3 * m;
    if (gx == gx || gy == gy) {
        double fx, fy;
        resolve_forces(x, E, M, m, width, fx, fy);
        if (!threadIdx.x) meet(fx, fy, sums, gx, gy, c);
        __syncthreads();
    }
    if (threadIdx.x < 3) found[threadIdx.x] = c[threadIdx.x];
    __syncthreads();
}

extern "C" {

__global__ void start(ELEMENTS, MEMBERS, const double *rigid, double *z) {
    HEAD PAIRS {
        Field w = combine(rigid, c, h, o, weight[o]);
        fold(z, m, count, wide, h, o, weight[o], project(times(-1.0, w), GA, GB));
    }
}

__global__ void lift(ELEMENTS, MEMBERS, const double *slip, const double *rigid, double *z) {
    HEAD PAIRS {
        double w = weight[o];
        Field s = add(unfold(slip, m, count, wide, h, o, w), 1.0, combine(rigid, c, h, o, w));
        fold(z, m, count, wide, h, o, w, add(unfold(z, m, count, wide, h, o, w), tau, s));
    }
}

__global__ void resolve(ELEMENTS, MEMBERS, const double *resolved, const double *sums, double *x) {
    HEAD
    __shared__ double found[3];
    find_creepage(x, E, M, m, all, sums, found);
    PAIRS {
        double w = weight[o];
        Field v = add(unfold(x, m, count, all, h, o, w), -1.0, combine(resolved, found, h, o, w));
        fold(x, m, count, all, h, o, w, v);
        append(E, M, m, o, x, all, v, STICKS(o), STICKS(h + o));
    }
}

__global__ void check(ELEMENTS, MEMBERS, double *x, const double *z, const double *held, const double *centred,
                      double *shares, double *errors) {
    HEAD
    double worst = 0.0, doubt = 0.0;
    PAIRS {
        double w = weight[o];
        Field X = unfold(x, m, count, all, h, o, w), Z = unfold(z, m, count, wide, h, o, w);
        Field H = {0.0, 0.0, 0.0, 0.0}, D = H;
        if (t) {
            H = unfold(held, m, count, wide, h, o, w);
            D = share_slip(E, M, m, o, H, unfold(centred, m, count, wide, h, o, w), c[2]);
        }
        Field S = times(1.0 / tau, add(Z, -1.0, X)), A = add(S, 1.0, D), B = add(S, 1.0, H);
        worst = fmax(worst, miss(X.xa, X.ya, A.xa, A.ya, GA));
        if (NS == 2) worst = fmax(worst, miss(X.xb, X.yb, A.xb, A.yb, GB));
        if (!t) continue;
        double above = 0.0, below = 0.0;
        follow(E, M, m, o, X.xa, X.ya, B.xa, B.ya, GA, shares, doubt, above);
        if (NS == 2) follow(E, M, m, h + o, X.xb, X.yb, B.xb, B.yb, GB, shares, doubt, below);
        append(E, M, m, o, x, all, X, above, below);
    }
    largest(sqrt(worst), errors + m);
    largest(doubt, errors + count + m);
}

__global__ void advance(ELEMENTS, MEMBERS, const double *x, const double *held, const double *centred, float *change,
                        double *z) {
    HEAD PAIRS {
        double w = weight[o];
        Field X = unfold(x, m, count, all, h, o, w), Z = unfold(z, m, count, wide, h, o, w);
        Field D = {0.0, 0.0, 0.0, 0.0};
        if (t)
            D = share_slip(E, M, m, o, unfold(held, m, count, wide, h, o, w), unfold(centred, m, count, wide, h, o, w),
                           c[2]);
        Field Y = project(add(add(times(2.0, X), -1.0, Z), -tau, D), GA, GB), step = times(STEP, add(Y, -1.0, X));
        fold(change, m, count, wide, h, o, w, step);
        fold(z, m, count, wide, h, o, w, add(Z, 1.0, step));
    }
}

__global__ void advance_whole(ELEMENTS, MEMBERS, const double *resolved, const double *sums, const double *x,
                              float *change, double *z) {
    HEAD
    __shared__ double found[3];
    find_creepage(x, E, M, m, all, sums, found);
    PAIRS {
        double w = weight[o];
        Field X = add(unfold(x, m, count, all, h, o, w), -1.0, combine(resolved, found, h, o, w));
        Field Z = unfold(z, m, count, wide, h, o, w), Y = project(add(times(2.0, X), -1.0, Z), GA, GB);
        Field step = times(STEP, add(Y, -1.0, X));
        fold(change, m, count, wide, h, o, w, step);
        fold(z, m, count, wide, h, o, w, add(Z, 1.0, step));
    }
}

__global__ void resolve_increments(ELEMENTS, MEMBERS, const double *resolved, const double *sums, half_t *x) {
    HEAD
    double gx = force[2 * m], gy = force[2 * m + 1];
    bool given = gx == gx || gy == gy;
    __shared__ double change[3];
    if (given) {
        double fx, fy;
        resolve_forces(x, E, M, m, all, fx, fy);
        if (!threadIdx.x) {
            change[0] = change[1] = change[2] = 0.0;
            meet(fx, fy, sums, gx == gx ? 0.0 : gx, gy == gy ? 0.0 : gy, change);
        }
        __syncthreads();
    }
    PAIRS {
        if (!given && exits[o] < 0) continue;
        double w = weight[o];
        Field v = unfold(x, m, count, all, h, o, w);
        if (given) {
            v = add(v, -1.0, combine(resolved, change, h, o, w));
            fold(x, m, count, all, h, o, w, v);
        }
        append(E, M, m, o, x, all, v, STICKS(o), STICKS(h + o));
    }
}

__global__ void begin_cycle(ELEMENTS, MEMBERS, const double *x, const double *held, const double *centred,
                            const double *z, const double *scales, double *base, half_t *change,
                            half_t *increments) {
    HEAD
    double unit = STEP / scales[m];
    PAIRS {
        double w = weight[o];
        Field X = unfold(x, m, count, all, h, o, w), Z = unfold(z, m, count, wide, h, o, w);
        Field D = {0.0, 0.0, 0.0, 0.0};
        if (t)
            D = share_slip(E, M, m, o, unfold(held, m, count, wide, h, o, w), unfold(centred, m, count, wide, h, o, w),
                           c[2]);
        Field R = add(add(times(2.0, X), -1.0, Z), -tau, D);
        Field step = times(unit, add(project(R, GA, GB), -1.0, X));
        fold(base, m, count, wide, h, o, w, R);
        fold(change, m, count, wide, h, o, w, step);
        fold(increments, m, count, wide, h, o, w, step);
    }
}

__global__ void advance_increments(ELEMENTS, MEMBERS, const double *x, const double *base, const half_t *dx,
                                   const half_t *dheld, const half_t *dcentred, const double *scales,
                                   half_t *change, half_t *increments) {
    HEAD
    double scale = scales[m], unit = STEP / scale;
    PAIRS {
        double w = weight[o];
        Field dX = unfold(dx, m, count, all, h, o, w), dZ = unfold(increments, m, count, wide, h, o, w);
        Field dR = add(times(2.0, dX), -1.0, dZ);
        if (t)
            dR = add(dR, -tau, share_slip(E, M, m, o, unfold(dheld, m, count, wide, h, o, w),
                                          unfold(dcentred, m, count, wide, h, o, w), 0.0));
        Field X = add(unfold(x, m, count, all, h, o, w), scale, dX);
        Field Y = project(add(unfold(base, m, count, wide, h, o, w), scale, dR), GA, GB);
        Field step = times(unit, add(Y, -1.0, X));
        fold(change, m, count, wide, h, o, w, step);
        fold(increments, m, count, wide, h, o, w, add(dZ, 1.0, step));
    }
}

__global__ void end_cycle(ELEMENTS, MEMBERS, const double *scales, const half_t *increments, double *z) {
    HEAD PAIRS {
        double w = weight[o];
        Field v = add(unfold(z, m, count, wide, h, o, w), scales[m], unfold(increments, m, count, wide, h, o, w));
        fold(z, m, count, wide, h, o, w, v);
    }
}

__global__ void settle(ELEMENTS, MEMBERS, double *x) {
    HEAD PAIRS {
        double w = weight[o];
        Field v = project(unfold(x, m, count, all, h, o, w), GA, GB);
        fold(x, m, count, all, h, o, w, v);
        append(E, M, m, o, x, all, v, STICKS(o), STICKS(h + o));
    }
}

__device__ __forceinline__ double find_rho(const Elements &E, double sticks, double glides, int e) {
    int ne = NS * E.h;
    double sum = 0.0;
    for (int k = 0; k < 2; k++) {
        double held = E.own[k * ne + e] + sticks * E.own[(2 + k) * ne + e];
        double centred = E.own[(4 + k) * ne + e] + sticks * E.own[(6 + k) * ne + e];
        sum += fmax(held + glides * (centred - held), E.least[k]);
    }
    return 2.0 / sum;
}

__device__ __forceinline__ double violate(double px, double py, double sx, double sy, double g, double rho) {
    double size = hypot(px, py), way = hypot(sx, sy);
    if (!(size + way < 1e300)) return 1e300;
    double worst = fmax(size - g, fmin(fmax(0.0, g - size), rho * way));
    if (size > 0.0 && way > 0.0) {
        double across = (sx * py - sy * px) / size, forward = fmax(0.0, (sx * px + sy * py) / size);
        worst = fmax(worst, fmin(rho, g / way) * hypot(across, forward));
    }
    return worst;
}

__device__ void judge(const Elements &E, const Members &M, i64 m, int e, double px, double py, double &sx, double &sy,
                      double dx, double dy, double hx, double hy, double g, double *sum) {
    if (g <= 0.0) return;
    i64 at = m * NS * E.h + e;
    double change;
    if (E.t) follow(E, M, m, e, px, py, sx + hx, sy + hy, g, nullptr, sum[1], change);
    sx += dx;
    sy += dy;
    double sticks = E.t ? M.sticks[at] : 0.0, glides = E.t ? M.glides[at] : 0.0;
    double rho = find_rho(E, sticks, glides, e), share = E.share[e];
    sum[0] = fmax(sum[0], violate(px, py, sx, sy, g, rho));
    sum[2] += hypot(px - rho * sx, py - rho * sy) <= g ? share : 0.0;
    sum[3] += share * px;
    sum[4] += share * py;
    sum[5] += share * (px * sx + py * sy);
    int ne = NS * E.h;
    sum[6] += share * ((E.arms[e] + sticks * E.arms[ne + e]) * py - E.arms[2 * ne + e] * px);
}

__global__ void certify(ELEMENTS, MEMBERS, const double *p, double *slip, const double *held, const double *centred,
                        const double *rigid, double *found) {
    HEAD
    double sum[7] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    PAIRS {
        double w = weight[o];
        Field P = unfold(p, m, count, all, h, o, w), H = {0.0, 0.0, 0.0, 0.0}, D = H;
        Field S = add(unfold(slip, m, count, wide, h, o, w), 1.0, combine(rigid, c, h, o, w));
        if (t) {
            H = unfold(held, m, count, wide, h, o, w);
            D = share_slip(E, M, m, o, H, unfold(centred, m, count, wide, h, o, w), c[2]);
        }
        judge(E, M, m, o, P.xa, P.ya, S.xa, S.ya, D.xa, D.ya, H.xa, H.ya, GA, sum);
        if (NS == 2) judge(E, M, m, h + o, P.xb, P.yb, S.xb, S.yb, D.xb, D.yb, H.xb, H.yb, GB, sum);
        fold(slip, m, count, wide, h, o, w, S);
    }
    for (int k = 0; k < 2; k++) largest(sum[k], found + 7 * m + k);
    for (int k = 2; k < 7; k++) {
        double v = total(sum[k]);
        if (!threadIdx.x) found[7 * m + k] = v;
    }
}
}
