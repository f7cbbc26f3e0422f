/* warnings.cu - what is compiled with a warning, without a flag that asks for it, and what is not.
 * Covers: warnings of `__CUDA_ARCH__` in functions for host and device, of registers that nobody
 * sets, and of local arrays whose end is passed. */
#include <cuda_runtime.h>

#define BOTH __host__ __device__
BOTH int side() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}
template <class T> struct number {
    T value;
    BOTH T get() const {
#if defined(__CUDA_ARCH__) && /* of two lines */                                                   \
    __CUDA_ARCH__ >= 700
        return 1;
#else
        return value;
#endif
    }
};
__device__ int right_branch() { /* the device's alone */
#if __CUDA_ARCH__ >= 700
    return 1;
#else
    return 0;
#endif
}

__global__ void unset(float *to, const float *from) {
    float sum[2][2], right[2] = {};
    float4 four[2], right4[2];
    for (int i = 0; i < 2; i++) {
        right4[i] = make_float4(0, 0, 0, 0);
        for (int j = 0; j < 2; j++)
            sum[i][j] += from[i];
        four[i].x = fmaf(from[i], from[i], four[i].x);
        right4[i].x += from[i];
        right[i] += from[i];
    }
    to[0] = sum[0][0] + sum[1][1] + four[0].x + right[1] + right4[1].x;
}
__device__ void fill(float *right) { *right = 0; }
struct pair {
    float right[2];
};
__global__ void set(float *to, const float *from, pair p) {
    float right[2], right2[2], right3[2], right4[1], right5[2];
    for (int i = 0; i < 2; i++) {
        right[i] = p.right[i];
        fill(&right2[i]);
    }
    fill(right3);
    asm("mov.f32 %0, %1;" : "=f"(right4[0]) : "f"(from[0]));
    for (float &x : right5)
        x = 0;
    for (int i = 0; i < 2; i++) {
        right[i] += from[i];
        right2[i] += from[i];
        right5[i] += from[i];
    }
    right3[0] += 1;
    right4[0] += 1;
    to[1] = right[1] + right2[0] + right3[0] + right4[0] + right5[1];
}

template <int N> __device__ void load(float (*to)[4], const float *from) {
    for (int t = 0; t < N; t++)
        for (int i = 0; i < 4; i++)
            to[t][i] = from[t * 4 + i];
}
__global__ void overrun(float *to) {
    __shared__ float tile[64];
    tile[threadIdx.x] = 1;
    __syncthreads();
    float column[1][4] = {};
    load<8>(column, tile);
    for (int i = 0; i < 4; i++)
        to[i] = column[0][i];
}
