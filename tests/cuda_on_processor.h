// What CUDA sources need to run on a processor: threads of a block are threads of the processor, one block after
// the other. Only for tests: it is slow.
#include <pthread.h>

#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

using std::fabs, std::fmax, std::fmin, std::hypot, std::sqrt;

static inline double rsqrt(double v) { return 1.0 / sqrt(v); }

#define __device__
#define __global__
#define __forceinline__ inline
#define __shared__ static

struct Index { unsigned x; };
static thread_local Index threadIdx, blockIdx;
static Index blockDim{THREADS};
static pthread_barrier_t barrier;
static double lanes[THREADS];

static void __syncthreads() { pthread_barrier_wait(&barrier); }

static double __shfl_xor_sync(unsigned, double value, int mask) {
    lanes[threadIdx.x] = value;
    __syncthreads();
    double other = lanes[threadIdx.x ^ mask];
    __syncthreads();
    return other;
}

static inline float read_half(const unsigned short *p) {
    _Float16 value;
    std::memcpy(&value, p, sizeof value);
    return (float)value;
}

static inline void write_half(unsigned short *p, float f) {
    _Float16 value = (_Float16)f;
    std::memcpy(p, &value, sizeof value);
}

template <class Body>
static void launch(long long blocks, Body body) {
    pthread_barrier_init(&barrier, nullptr, THREADS);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < THREADS; t++)
        threads.emplace_back([&, t] {
            threadIdx.x = t;
            for (long long b = 0; b < blocks; b++) {
                blockIdx.x = (unsigned)b;
                body();
                __syncthreads();
            }
        });
    for (auto &thread : threads) thread.join();
    pthread_barrier_destroy(&barrier);
}
