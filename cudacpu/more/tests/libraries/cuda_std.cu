/* cuda_std.cu - the C++ library for kernels, beside cudacpu's own atomics and barriers. Exit status
 * 0 when all is well.
 *
 * Header: cuda/std/; covers: Debian's libcu++-dev: `array`, `tuple`, `pair`, `complex`,
 * `numeric_limits`, `popcount`, ...; cudacpu's own `atomic`; not: barriers, latches, semaphores. */
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <stdio.h>

__device__ cuda::atomic<int, cuda::thread_scope_device> total{0};
__device__ cuda::std::atomic<int> also{0};
__device__ cuda::std::atomic_flag lock;
__device__ int guarded;

__global__ void compute(int *results, cuda::std::array<int, 4> numbers) {
    static_assert(cuda::std::is_same<int, int>::value, "");
    total.fetch_add(numbers[threadIdx.x % 4], cuda::std::memory_order_relaxed);
    also++;
    while (lock.test_and_set(cuda::std::memory_order_acquire))
        ;
    guarded++;
    lock.clear(cuda::std::memory_order_release);
    if (threadIdx.x != 0)
        return;
    const cuda::std::tuple<int, float> both{5, 2.5f};
    const cuda::std::pair<int, int> pair = cuda::std::make_pair(3, 4);
    cuda::std::complex<float> z(1, 2);
    z = z * z;
    results[0] = cuda::std::get<0>(both) + (int)(2 * cuda::std::get<1>(both));
    results[1] = pair.first * 10 + pair.second;
    results[2] = (int)z.real() * 10 + (int)z.imag();
    results[3] = cuda::std::numeric_limits<short>::max();
    results[4] = cuda::std::popcount(7u);
}
__global__ void sum_up(int *results) {
    results[5] = total.load() + 1000 * also.load() + guarded - also;
}

int main() {
    int *results;
    const int expected[] = {10, 34, -26, 32767, 3, 64160};
    const cuda::std::array<int, 4> numbers{1, 2, 3, 4};
    cudaMallocManaged(&results, sizeof expected);
    compute<<<1, 64>>>(results, numbers);
    sum_up<<<1, 1>>>(results);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int i = 0; i < 6; i++)
        if (results[i] != expected[i]) {
            printf("result %d: %d, not %d\n", i, results[i], expected[i]);
            return 1;
        }
    cudaFree(results);
    puts("all is well");
    return 0;
}
