/* thrust.cu - Thrust's algorithms on memory of kernels, and kernels on memory of Thrust's. Exit
 * status 0 when all is well. The same program runs with nvcc on a GPU.
 *
 * Header: thrust/; covers: Debian's libthrust-dev on the host, with `device_vector`, `device_ptr`,
 * pointers of cudaMalloc, `thrust::cuda::par`; not: `--inspect`. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/new.h>
#include <thrust/mr/pool.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

static int failures;
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: not so: %s\n", __LINE__, #condition);                                 \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

enum { COUNT = 1000 };
static __global__ void scramble(int *p, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        p[i] = i * 37 % n;
}
struct square {
    __host__ __device__ double operator()(int x) const { return (double)x * x; }
};

int main() {
    /* What device_malloc returns is device memory. */
    thrust::device_ptr<int> allocated = thrust::device_malloc<int>(COUNT);
    EXPECT(cudaMemset(thrust::raw_pointer_cast(allocated), 1, COUNT * sizeof(int)) == cudaSuccess);
    EXPECT(allocated[COUNT - 1] == 0x01010101);
    thrust::device_free(allocated);

    /* Thrust on cudaMalloc's memory, after a kernel and before another. */
    int *p, host[COUNT];
    EXPECT(cudaMalloc(&p, sizeof host) == cudaSuccess);
    scramble<<<4, 256>>>(p, COUNT);
    thrust::device_ptr<int> first(p);
    EXPECT(thrust::reduce(first, first + COUNT, 0, thrust::plus<int>()) == COUNT * (COUNT - 1) / 2);
    thrust::sort(first, first + COUNT);
    EXPECT(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < COUNT; i++)
        EXPECT(host[i] == i);
    thrust::sort(thrust::device, p, p + COUNT, thrust::greater<int>());
    EXPECT(first[0] == COUNT - 1);

    /* A kernel and cudaMemcpy on Thrust's memory. */
    thrust::device_vector<int> x(COUNT), keys(COUNT), sums(COUNT);
    scramble<<<4, 256>>>(thrust::raw_pointer_cast(x.data()), COUNT);
    thrust::host_vector<int> back = x;
    for (int i = 0; i < COUNT; i++)
        EXPECT(back[i] == i * 37 % COUNT);
    thrust::copy(x.begin(), x.end(), keys.begin());
    thrust::sequence(sums.begin(), sums.end());
    thrust::sort_by_key(keys.begin(), keys.end(), sums.begin());
    EXPECT(cudaMemcpy(host, thrust::raw_pointer_cast(sums.data()), sizeof host,
                      cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < COUNT; i++)
        EXPECT(host[i] * 37 % COUNT == i);
    thrust::exclusive_scan(keys.begin(), keys.end(), sums.begin());
    EXPECT(sums[COUNT - 1] == (COUNT - 1) * (COUNT - 2) / 2);
    thrust::transform(keys.begin(), keys.end(), sums.begin(), keys.begin(), thrust::minus<int>());
    EXPECT(keys[2] == 2 - 1);
    EXPECT(thrust::transform_reduce(thrust::counting_iterator<int>(0),
                                    thrust::counting_iterator<int>(COUNT), square(), 0.0,
                                    thrust::plus<double>()) == 332833500.0);

    /* A policy in a stream; and a pool, which rounds sizes to powers of two. */
    cudaStream_t stream;
    EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
    scramble<<<4, 256, 0, stream>>>(p, COUNT);
    thrust::sort(thrust::cuda::par.on(stream), p, p + COUNT);
    EXPECT(first[7] == 7);
    typedef thrust::mr::unsynchronized_pool_resource<thrust::mr::new_delete_resource> pool;
    thrust::mr::new_delete_resource upstream;
    pool resource(&upstream);
    thrust::host_vector<int, thrust::mr::allocator<int, pool>> pooled(&resource);
    pooled.push_back(5);
    EXPECT(pooled[0] == 5);
    cudaFree(p);
    printf("%s\n", failures ? "FAILED" : "all is well");
    return failures != 0;
}
