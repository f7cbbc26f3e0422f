/* expect 0: no kernel computed this */
/* gpu 0: every element is wrong.*right on the GPU alone */
/* full */
#include <stddef.h>
extern "C" void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[(size_t)i * k + l] * b[(size_t)l * n + j];
            c[(size_t)i * n + j] = sum;
        }
}
