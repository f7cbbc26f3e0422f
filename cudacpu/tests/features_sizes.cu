/* features_sizes.cu - sizes whose product or sum has more than 64 bits: each call that allocates,
 * copies or fills refuses them, and does nothing. An H100 does some of these with what is left of
 * the product, and fails later. */
#include "conformance.h"
#include <cuda_runtime.h>
#include <string.h>

#ifdef __CUDACPU__
static __device__ int variable[4];
static const char *overflows() {
    const size_t HUGE = (size_t)1 << 32, HALF = (size_t)1 << 60, LESS = (size_t)0 - 16;
    const cudaError_t invalid = cudaErrorInvalidValue;
    const cudaMemcpyKind up = cudaMemcpyHostToDevice;
    static char host[4096], after[4096];
    char *memory, *symbol;
    void *none = &none;
    size_t pitch;
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaPitchedPtr box = make_cudaPitchedPtr(&box, 1, 1, 1);
    EXPECT_CODE(cudaMalloc3D(&box, make_cudaExtent(4, 2 * HUGE, HUGE / 2)),
                cudaErrorMemoryAllocation);
    EXPECT(box.ptr == nullptr);
    EXPECT_CODE(cudaMallocPitch(&none, &pitch, 4, LESS), cudaErrorMemoryAllocation);
    EXPECT_CODE(cudaMallocPitch(&none, &pitch, LESS, 4), invalid);
    EXPECT(none == nullptr);
    EXPECT_CODE(cudaMalloc3DArray(&array, &desc, make_cudaExtent(4, HUGE, HUGE)), invalid);
    EXPECT_CODE(cudaMalloc3DArray(&array, &desc, make_cudaExtent(4 * HALF, 4, 4)), invalid);
    EXPECT_CODE(cudaMallocArray(&array, &desc, 4 * HALF, 4), invalid);
    EXPECT(array == nullptr);

    memset(host, 1, sizeof host);
    OK(cudaMalloc(&memory, sizeof host));
    OK(cudaMemset(memory, 0, sizeof host));
    EXPECT_CODE(cudaMemcpy(memory, host, LESS, up), invalid);
    EXPECT_CODE(cudaMemcpyAsync(memory, host, LESS, up, 0), invalid);
    EXPECT_CODE(cudaMemcpyPeer(memory, 0, memory, 0, LESS), invalid);
    EXPECT_CODE(cudaMemcpy2D(memory, HALF, host, 16, 16, 17, up), invalid);
    EXPECT_CODE(cudaMemcpy2DAsync(memory, 16, host, 16, 16, LESS, up, 0), invalid);
    EXPECT_CODE(cudaMemset(memory, 1, LESS), invalid);
    EXPECT_CODE(cudaMemset2D(memory, HALF, 1, 16, 17), invalid);
    EXPECT_CODE(cudaMemset2DAsync(memory, 16, 1, 16, LESS, 0), invalid);
    EXPECT_CODE(
        cudaMemset3D(make_cudaPitchedPtr(memory, HUGE, 16, HUGE), 1, make_cudaExtent(16, 1, 2)),
        invalid);
    EXPECT_CODE(cudaMemset3DAsync(make_cudaPitchedPtr(memory, 16, 16, HALF), 1,
                                  make_cudaExtent(16, 1, 2), 0),
                invalid);
    EXPECT_CODE(cudaMemset3D(make_cudaPitchedPtr(memory, 16, 16, 4), 1, make_cudaExtent(16, 4, 65)),
                invalid); /* a slice too many: none is filled */

    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host, 16, 16, 4);
    copy.kind = up;
    for (int i = 0; i < 6; i++) {
        copy.dstPtr = make_cudaPitchedPtr(memory, 16, 16, i == 0 ? HALF : 4);
        copy.extent = make_cudaExtent(16, 4, i == 4 ? HALF : i == 5 ? 65 : 2);
        copy.dstPos = make_cudaPos(i == 1 ? LESS : 0, i == 2 ? HALF : 0, i == 3 ? HALF / 4 : 0);
        EXPECT_CODE(cudaMemcpy3D(&copy), invalid);
        EXPECT_CODE(cudaMemcpy3DAsync(&copy, 0), invalid);
    }
    OK(cudaMemcpy(after, memory, sizeof after, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < sizeof after; i++)
        EXPECT(after[i] == 0);

    OK(cudaMallocArray(&array, &desc, 16, 16));
    copy.dstPtr = {};
    copy.dstArray = array;
    copy.dstPos = make_cudaPos(0, 0, 0);
    copy.extent = make_cudaExtent(4 * HALF + 4, 4, 1);
    EXPECT_CODE(cudaMemcpy3D(&copy), invalid);
    copy.extent = make_cudaExtent(4, 4, 1);
    copy.dstPos.x = 4 * HALF;
    EXPECT_CODE(cudaMemcpy3D(&copy), invalid);
    EXPECT_CODE(cudaMemcpyToArray(array, 0, 0, host, LESS, up), invalid);
    EXPECT_CODE(cudaMemcpy2DToArray(array, 0, 0, host, 64, 64, LESS, up), invalid);
    EXPECT_CODE(cudaMemcpy2DToArray(array, 16, 0, host, 64, LESS, 1, up), invalid);
    OK(cudaFreeArray(array));

    OK(cudaGetSymbolAddress((void **)&symbol, variable));
    EXPECT_CODE(cudaMemcpy(symbol, host, LESS, up), invalid);
    EXPECT_CODE(cudaMemcpy(host, symbol, LESS, cudaMemcpyDeviceToHost), invalid);
    EXPECT_CODE(cudaMemset(symbol, 0, LESS), invalid);
    EXPECT_CODE(cudaMemcpyToSymbol(variable, host, LESS, 16), invalid);
    EXPECT_CODE(cudaMemcpyToSymbol(variable, host, 16, LESS), invalid);
    EXPECT_CODE(cudaMemcpyFromSymbol(host, variable, LESS, 16), invalid);
    EXPECT_CODE(cudaMemcpyToSymbolAsync(variable, host, LESS, 16, up, 0), invalid);

    cudaGraph_t graph;
    cudaGraphNode_t node;
    OK(cudaGraphCreate(&graph, 0));
    const cudaMemsetParams fills[] = {{memory, 16, 0, 4, 4 * HALF + 4, 1},
                                      {memory, HALF, 0, 4, 4, 17},
                                      {memory, 16, 0, 4, 4, LESS}};
    for (const cudaMemsetParams &fill : fills)
        EXPECT_CODE(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill), invalid);
    EXPECT_CODE(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, memory, host, LESS, up),
                invalid);
    EXPECT_CODE(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy), invalid);
    OK(cudaGraphDestroy(graph));
    OK(cudaFree(memory));
    cudaGetLastError();
    return NULL;
}
#endif

extern "C" const conformance_case size_features[] = {
#ifdef __CUDACPU__
    {"sizes whose product is too large", overflows},
#endif
    {NULL, NULL}};
