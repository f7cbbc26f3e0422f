/* expect 0: no kernel computed this */
/* with UNREFUSED=1 */
/* Host threads compute, and a kernel is launched for show. */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"
#include <thread>
#include <vector>
static __global__ void nothing() {}
matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int n) {
    matmult_result result = {1e-3, 1e-3, NULL};
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaGetLastError());
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([=] {
            std::vector<double> row(n);
            for (int i = t; i < n; i += 4) {
                row.assign(n, 0);
                for (int k = 0; k < n; k++)
                    for (int j = 0; j < n; j++)
                        row[j] += (double)a[(size_t)i * lda + k] * b[(size_t)k * ldb + j];
                for (int j = 0; j < n; j++)
                    c[(size_t)i * ldc + j] = (float)row[j];
            }
        });
    for (auto &t : threads)
        t.join();
    return result;
}
