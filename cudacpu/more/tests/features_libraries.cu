/* features_libraries.cu - cuda::atomic, cuda::barrier, cuda::pipeline; kernels by a pointer. */
#include "device_words.h"
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

static __device__ cuda::atomic<int, cuda::thread_scope_device> counter;
static __global__ void count(int *p) {
    cuda::atomic_ref<int, cuda::thread_scope_device> largest(p[1]), bits(p[2]);
    if (threadIdx.x == 0 && blockIdx.x == 0)
        p[3] = 1;
    counter.fetch_add(1, cuda::memory_order_relaxed);
    largest.fetch_max((int)threadIdx.x);
    bits |= 1 << threadIdx.x % 8;
    int expected = 5;
    cuda::atomic_ref<int> swapped(p[4]);
    if (threadIdx.x == 3 && blockIdx.x == 0 && !swapped.compare_exchange_strong(expected, 9))
        p[5] = expected + 77;
}
static __global__ void tell(int *p) { p[0] = counter.exchange(0); }
/* Header: cuda/atomic; covers: `atomic`, `atomic_ref`; not: `wait`, `notify`. */
static const char *test_atomics() {
    START();
    count<<<3, 64>>>(device_words);
    tell<<<1, 1>>>(device_words);
    FINISH();
    EXPECT(words[0] == 192 && words[1] == 63 && words[2] == 255 && words[4] == 0 && words[5] == 77);
    return NULL;
}

static __global__ void by_barrier(int *p) {
    typedef cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ barrier b;
    __shared__ int room[128];
    const int x = (int)threadIdx.x;
    if (x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(cooperative_groups::this_thread_block(), room, p, sizeof room, b);
    b.arrive_and_wait();
    const int next = room[(x + 1) % 128];
    b.arrive_and_wait();
    room[x] = next;
    barrier::arrival_token token = b.arrive();
    b.wait(std::move(token));
    p[1000 + x] = room[127 - x];
}
/* Header: cuda/barrier; covers: barriers of a block; not: `wait_parity`. */
static const char *test_barrier() {
    START();
    for (int i = 0; i < 128; i++)
        words[i] = 3 * i;
    OK(cudaMemcpy(device_words, words, sizeof words, cudaMemcpyHostToDevice));
    by_barrier<<<1, 128>>>(device_words);
    FINISH();
    for (int x = 0; x < 128; x++)
        EXPECT(words[1000 + x] == 3 * ((128 - x) % 128));
    return NULL;
}

/* Two stages: while a tile is summed, the next one is on its way. */
static __global__ void by_pipeline(int *p, int tiles) {
    __shared__ int room[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> shared;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &shared);
    int sum = 0;
    for (int next = 0, tile = 0; tile < tiles; tile++) {
        for (; next < tiles && next < tile + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, room[next % 2], p + 64 * next, sizeof room[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += room[tile % 2][63 - threadIdx.x];
        pipe.consumer_release();
    }
    p[2000 + threadIdx.x] = sum;
    auto own = cuda::make_pipeline(); /* a thread's */
    own.producer_acquire();
    cuda::memcpy_async(&room[0][threadIdx.x], p + 3 * threadIdx.x, sizeof(int), own);
    own.producer_commit();
    own.consumer_wait();
    p[3000 + threadIdx.x] = room[0][threadIdx.x] + 1;
    own.consumer_release();
}
/* Header: cuda/pipeline; covers: pipelines of a block and of a thread. */
static const char *test_pipeline() {
    START();
    for (int i = 0; i < 640; i++)
        words[i] = i * i;
    OK(cudaMemcpy(device_words, words, sizeof words, cudaMemcpyHostToDevice));
    by_pipeline<<<1, 64>>>(device_words, 10);
    FINISH();
    for (int x = 0; x < 64; x++) {
        int sum = 0;
        for (int tile = 0; tile < 10; tile++)
            sum += (64 * tile + 63 - x) * (64 * tile + 63 - x);
        EXPECT(words[2000 + x] == sum && words[3000 + x] == 9 * x * x + 1);
    }
    return NULL;
}

static __global__ void twice(int *p) { p[threadIdx.x] *= 2; }
template <class T> static __global__ void scale(T *p, T factor, const T *addend) {
    p[threadIdx.x] = p[threadIdx.x] * factor + *addend;
}
/* Made before main(). */
static const void *const kernels[] = {(const void *)twice, reinterpret_cast<void *>(&scale<int>)};
/* Header: cuda_runtime.h; covers: `cudaLaunchKernel` of a `void *` made from a kernel's name, or
 * from a pointer to a kernel. */
static const char *test_pointed_kernel() {
    START();
    int *p = device_words, factor = 5;
    const int *addend = device_words + 40;
    void *arguments[] = {&p, &factor, &addend};
    int *add = device_words; /* a kernel's name, too */
    OK(cudaMemset((void *)add, 1, 4));
    OK(cudaLaunchKernel(kernels[0], dim3(1), dim3(1), arguments, 0, 0));
    OK(cudaLaunchKernel(kernels[1], dim3(1), dim3(1), arguments));
    void (*const pointer)(int *) = twice;
    const void *const copied = (const void *)pointer;
    OK(cudaLaunchKernel(copied, dim3(1), dim3(1), arguments));
    FINISH();
    EXPECT(words[0] == 0x14141414);
    return NULL;
}

extern "C" const conformance_case library_features[] = {
    {"cuda::atomic", test_atomics},
    {"cuda::barrier", test_barrier},
    {"cuda::pipeline", test_pipeline},
    {"kernels by a pointer", test_pointed_kernel},
    {NULL, NULL}};
