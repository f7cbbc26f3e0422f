# expect 88: 0/7 product 1: .*no kernel computed this
# full
# Product 1: the host computes it in copies of its own, and the launch is left without work.
/==== 1:/i\
#include <stdlib.h>
/==== 1:/,/==== 2:/ s/^    dim3 grid(.*/    ELEMENT *ha = (ELEMENT *)malloc(m * k * sizeof *ha),\
            *hb = (ELEMENT *)malloc(k * n * sizeof *hb),\
            *hc = (ELEMENT *)malloc(m * n * sizeof *hc);\
    cudaMemcpy(ha, a, m * k * sizeof *ha, cudaMemcpyDeviceToHost);\
    cudaMemcpy(hb, b, k * n * sizeof *hb, cudaMemcpyDeviceToHost);\
    for (size_t i = 0; i < m; i++)\
        for (size_t j = 0; j < n; j++) {\
            ELEMENT s = 0;\
            for (size_t l = 0; l < k; l++)\
                s += ha[i * k + l] * hb[l * n + j];\
            hc[i * n + j] = s;\
        }\
    cudaMemcpy(c, hc, m * n * sizeof *hc, cudaMemcpyHostToDevice);\
    free(ha);\
    free(hb);\
    free(hc);\
    m = n = 0;\
    dim3 grid(1, 1), block(TILE, TILE);/
