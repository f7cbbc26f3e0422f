/* ldmatrix.cu - ldmatrix x1, x2 and x4, also transposed, of rows anywhere in shared memory. */
#include "ptx_test.h"

enum { ROWS = 64 }; /* of 8 elements, of which up to 32 are read */

template <int COUNT, bool TRANSPOSED>
static __global__ void load_kernel(const uint16_t *rows, const int *row_of_lane, uint32_t *result) {
    __shared__ __align__(16) uint16_t tile[ROWS][8];
    const int lane = threadIdx.x;
    for (int i = lane; i < ROWS * 8; i += 32)
        tile[i / 8][i % 8] = rows[i];
    __syncthreads();
    uint32_t r0 = 0, r1 = 0, r2 = 0, r3 = 0;
    /* A lane whose address is not used has one all the same. */
    const uint32_t from = (uint32_t)__cvta_generic_to_shared(tile[row_of_lane[lane]]);
    if (COUNT == 1 && !TRANSPOSED)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r0) : "r"(from));
    else if (COUNT == 1)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                     : "=r"(r0)
                     : "r"(from));
    else if (COUNT == 2 && !TRANSPOSED)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(r0), "=r"(r1)
                     : "r"(from));
    else if (COUNT == 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(r0), "=r"(r1)
                     : "r"(from));
    else if (!TRANSPOSED)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
                     : "r"(from));
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
                     : "r"(from));
    uint32_t *to = result + lane * 4;
    to[0] = r0;
    to[1] = r1;
    to[2] = r2;
    to[3] = r3;
}

template <int COUNT, bool TRANSPOSED> static void test(const char *name) {
    uint16_t rows[ROWS][8];
    int row_of_lane[32];
    uint32_t result[32][4];
    for (int i = 0; i < ROWS * 8; i++)
        rows[i / 8][i % 8] = (uint16_t)random_bits();
    for (int lane = 0; lane < 32; lane++) /* two lanes may have the same row */
        row_of_lane[lane] = (int)(random_bits() % ROWS);
    void *const d_rows = to_device(rows, sizeof rows);
    void *const d_row_of_lane = to_device(row_of_lane, sizeof row_of_lane);
    void *const d_result = to_device(NULL, sizeof result);
    load_kernel<COUNT, TRANSPOSED>
        <<<1, 32>>>((const uint16_t *)d_rows, (const int *)d_row_of_lane, (uint32_t *)d_result);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(result, d_result, sizeof result, cudaMemcpyDeviceToHost));

    size_t wrong = 0;
    for (int lane = 0; lane < 32; lane++)
        for (int matrix = 0; matrix < 4; matrix++)
            for (int half = 0; half < 2; half++) {
                int row = lane / 4, column = lane % 4 * 2 + half;
                if (TRANSPOSED) {
                    const int swap = row;
                    row = column;
                    column = swap;
                }
                const uint16_t expected =
                    matrix < COUNT ? rows[row_of_lane[8 * matrix + row]][column] : 0;
                wrong += (uint16_t)(result[lane][matrix] >> 16 * half) != expected;
            }
    report_exact(name, result, sizeof result, wrong);
    CUDA_CHECK(cudaFree(d_rows));
    CUDA_CHECK(cudaFree(d_row_of_lane));
    CUDA_CHECK(cudaFree(d_result));
}

int main(void) {
    test<1, false>("ldmatrix.x1");
    test<2, false>("ldmatrix.x2");
    test<4, false>("ldmatrix.x4");
    test<1, true>("ldmatrix.x1.trans");
    test<2, true>("ldmatrix.x2.trans");
    test<4, true>("ldmatrix.x4.trans");
    return report_end();
}
