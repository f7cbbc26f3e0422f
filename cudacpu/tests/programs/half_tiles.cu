/* half_tiles.cu - a product of two tiles of half by a warp, as kernels for tensor cores are
 * written: copies of 16 bytes into shared memory, then ldmatrix and mma.sync.
 *
 * Covers: arrays of `half` in shared memory, of no alignment of their own, `cp.async`, `ldmatrix`,
 * `mma.sync` with sums of half; inspect finds no fault in it. */
#include <cuda_fp16.h>
#include <stdint.h>
#include <stdio.h>

__device__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ void copy_16(half *to, const half *from) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(shared_address(to)),
                 "l"(from), "n"(16));
}

__global__ void multiply(const half *a, const half *b, half *c) {
    __shared__ half tile_a[16][16], tile_b[16][8];
    const int lane = threadIdx.x;
    copy_16(&tile_a[lane / 2][lane % 2 * 8], &a[lane * 8]);
    if (lane < 16)
        copy_16(tile_b[lane], &b[lane * 8]);
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
    __syncthreads();

    uint32_t x[4], y[2], sum[2] = {0, 0};
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(shared_address(&tile_a[lane % 16][lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%2];\n"
                 : "=r"(y[0]), "=r"(y[1])
                 : "r"(shared_address(tile_b[lane % 16])));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, "
                 "{%6, %7}, {%8, %9};\n"
                 : "=r"(sum[0]), "=r"(sum[1])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(sum[0]),
                   "r"(sum[1]));
    *(uint32_t *)&c[lane / 4 * 8 + lane % 4 * 2] = sum[0];
    *(uint32_t *)&c[(lane / 4 + 8) * 8 + lane % 4 * 2] = sum[1];
}

int main() {
    half *a, *b, *c;
    cudaMallocManaged(&a, 16 * 16 * sizeof *a);
    cudaMallocManaged(&b, 16 * 8 * sizeof *b);
    cudaMallocManaged(&c, 16 * 8 * sizeof *c);
    for (int i = 0; i < 256; i++)
        a[i] = __float2half((float)(i % 5));
    for (int i = 0; i < 128; i++)
        b[i] = __float2half((float)(i % 3));
    multiply<<<1, 32>>>(a, b, c);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int row = 0; row < 16; row++)
        for (int column = 0; column < 8; column++) {
            float sum = 0;
            for (int k = 0; k < 16; k++)
                sum += __half2float(a[row * 16 + k]) * __half2float(b[k * 8 + column]);
            wrong += !(sum == __half2float(c[row * 8 + column]));
        }
    printf("half tiles: %d of 128 wrong\n", wrong);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return wrong != 0;
}
