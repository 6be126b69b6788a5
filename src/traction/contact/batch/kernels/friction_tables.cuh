// What kernels of members with friction share: their arguments, numbers of several precisions.
// Names and arrays are those of splitting_steps.py.

typedef long long i64;
typedef unsigned short half_t;

// Tables of elements and of members, in the order in which kernels receive them.
#define ELEMENTS                                                                                                      \
    const double *weight, const double *share, const double *bound, const i64 *exits, const double *own,             \
        const double *turn, const double *least, const double *arms, int h, double tau, int t
#define MEMBERS const i64 *kind, double *creepage, const double *force, double *sticks, double *glides, i64 count

__device__ __forceinline__ double read(const double *p) { return *p; }
__device__ __forceinline__ double read(const half_t *p) {
    float f;
    asm("cvt.f32.f16 %0,%1;" : "=f"(f) : "h"(*p));
    return f;
}
__device__ __forceinline__ double read(const float *p) { return *p; }
__device__ __forceinline__ void write(float *p, double v) { *p = (float)v; }
__device__ __forceinline__ void write(double *p, double v) { *p = v; }
__device__ __forceinline__ void write(half_t *p, double v) {
    float f = fminf(fmaxf((float)v, -65000.f), 65000.f);  // what is not a number becomes large, and is seen
    asm("cvt.rn.f16.f32 %0,%1;" : "=h"(*p) : "f"(f));
}
