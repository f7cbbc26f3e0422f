/* cluster_dims.cu - __cluster_dims__ of templates, declarations and namespaces; clusters as an
 * attribute of a launch; the alignment of dynamic shared memory. Prints each wrong value; exits 1
 * when there is one. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

enum { PAIR = 2 };
struct __align__(512) stage {
    unsigned char bytes[1024];
};

/* x, y, z of the cluster as digits; how far the address is from a multiple of the alignment. */
static __device__ void report(uint32_t *result, const void *shared, uint32_t alignment) {
    uint32_t x, y, z, rank;
    asm("mov.u32 %0, %cluster_nctaid.x; mov.u32 %1, %cluster_nctaid.y;" : "=r"(x), "=r"(y));
    asm("mov.u32 %0, %cluster_nctaid.z; mov.u32 %1, %cluster_ctarank;" : "=r"(z), "=r"(rank));
    const uint32_t address = (uint32_t)__cvta_generic_to_shared(shared);
    if (rank == x * y * z - 1)
        *result = 100 * x + 10 * y + z + address % alignment * 1000;
}

namespace inner {
template <int DOWN>
static __global__ void __cluster_dims__(PAIR, DOWN, 1) __launch_bounds__(128)
    grid(uint32_t *result) {
    extern __shared__ __align__(512) unsigned char dynamic[];
    report(result, dynamic, 512);
}
template <> __global__ void __cluster_dims__(1, 1, 4) grid<3>(uint32_t *result) {
    extern __shared__ __align__(512) unsigned char dynamic[];
    report(result, dynamic, 512);
}
} // namespace inner

__global__ void __cluster_dims__(4) declared(uint32_t *result);

template <class T> __global__ void __cluster_dims__(sizeof(T)) typed(T, uint32_t *result) {
    extern __shared__ stage stages[];
    report(result, stages, 512);
}
namespace other { /* a namesake without a cluster */
__global__ void declared(uint32_t *result) {
    __shared__ int nothing[1];
    report(result, nothing, 4);
}
} // namespace other

static __global__ void overloaded(uint32_t *result) { *result = 3; }
static __global__ void __cluster_dims__(1, 2) overloaded(uint32_t *result, int more) {
    __shared__ int nothing[1];
    report(result, nothing, 4);
    if (blockIdx.y == 1) /* the block that reports */
        *result += (uint32_t)more;
}
/* By pointers, which name no kernel. */
static bool launch_by_pointers(uint32_t *result) {
    void (*table[])(uint32_t *) = {declared, inner::grid<2>, inner::grid<3>, other::declared};
    for (int i = 0; i < 4; i++)
        table[i]<<<dim3(4, 2, 4), 1, 3000>>>(result + i);
    void (*second)(uint32_t *, int) = overloaded;
    overloaded<<<1, 1>>>(result + 4);
    second<<<dim3(1, 2), 1>>>(result + 4, 7);
    const auto launch = [](auto kernel, uint32_t *result) {
        const cudaLaunchConfig_t config = {dim3(16), dim3(1), 3000, 0, nullptr, 0};
        return cudaLaunchKernelEx(&config, kernel, 1.0f, result);
    };
    if (launch(typed<float>, result + 5) != cudaSuccess)
        return false;
    result += 6;
    void *arguments[] = {&result};
    const auto kernel = inner::grid<1>;
    if (cudaLaunchKernel((void *)kernel, 4, 1, arguments, 3000) != cudaSuccess)
        return false;
    kernel<<<3, 1, 3000>>>(result);
    return cudaGetLastError() == cudaErrorInvalidClusterSize;
}

static cudaLaunchConfig_t in_clusters(unsigned x, unsigned y, unsigned z, dim3 grid) {
    static cudaLaunchAttribute attributes[2]; /* the first is ignored */
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim.x = x;
    attributes[1].val.clusterDim.y = y;
    attributes[1].val.clusterDim.z = z;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = 1;
    config.dynamicSmemBytes = 3000;
    config.attrs = attributes;
    config.numAttrs = 2;
    return config;
}
/* Launches that report into result[0] to result[3]; false where one that contradicts the kernel's
 * own __cluster_dims__ is not refused. */
static bool launch_with_attributes(uint32_t *result) {
    cudaLaunchConfig_t config = in_clusters(4, 2, 1, dim3(4, 2));
    cudaLaunchKernelEx(&config, other::declared, result);
    void *arguments[] = {&++result};
    config = in_clusters(1, 2, 1, dim3(3, 2));
    cudaLaunchKernelExC(&config, (const void *)other::declared, arguments);
    config = in_clusters(2, 1, 1, dim3(2, 1)); /* as the kernel itself has it */
    cudaLaunchKernelEx(&config, inner::grid<1>, result + 1);
    config = in_clusters(2, 1, 1, 4);
    const bool refused = cudaLaunchKernelEx(&config, declared, result) != cudaSuccess;
    cudaGetLastError();
    config.numAttrs = 0;
    cudaLaunchKernelEx(&config, declared, result + 2);
    return refused;
}

int main() {
    static const uint32_t EXPECTED[] = {221, 211, 114, 411, 811, 211, 111, 421, 121,
                                        211, 411, 411, 221, 114, 111, 128, 411, 211};
    enum { COUNT = sizeof EXPECTED / sizeof *EXPECTED };
    uint32_t *result, got[COUNT];
    cudaMalloc(&result, sizeof got);
    cudaMemset(result, 0, sizeof got);
    inner::grid<2><<<dim3(2, 2), 1, 3000>>>(result);
    inner::grid<1><<<2, 1, 3000>>>(result + 1);
    inner::grid<3><<<dim3(1, 1, 4), 1, 3000>>>(result + 2);
    declared<<<4, 1>>>(result + 3);
    typed<<<8, 1, 3000>>>(1.0, result + 4);
    typed<short><<<2, 1, 3000>>>(1, result + 5);
    other::declared<<<1, 1>>>(result + 6);
    int wrong = 0;
    if (!launch_with_attributes(result + 7)) {
        wrong = 1;
        fprintf(stderr, "cluster_dims: an attribute contradicts __cluster_dims__\n");
    }
    if (!launch_by_pointers(result + 11)) {
        wrong = 1;
        fprintf(stderr, "cluster_dims: a launch by a pointer\n");
    }
    const cudaError_t error = cudaMemcpy(got, result, sizeof got, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        fprintf(stderr, "cluster_dims: %s\n", cudaGetErrorString(error));
        return 1;
    }
    for (int i = 0; i < COUNT; i++)
        if (got[i] != EXPECTED[i]) {
            wrong = 1;
            fprintf(stderr, "cluster_dims: launch %d reports %u, not %u\n", i, got[i], EXPECTED[i]);
        }
    cudaFree(result);
    if (!wrong)
        printf("cluster_dims: %d launches as expected\n", COUNT);
    return wrong;
}

__global__ void declared(uint32_t *result) {
    __shared__ int nothing[1];
    report(result, nothing, 4);
}
