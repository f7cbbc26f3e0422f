/* matmult.h - the contract of a step: one product, C = A B, behind two names. */
#ifndef MATMULT_H
#define MATMULT_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct matmult_result {
    double total;     /* seconds, allocation and copies included, as in the article */
    double kernel;    /* seconds, device work alone (prologue kernels included), by CUDA events */
    const char *note; /* NULL, or one line for the reader: that a fallback was taken, for example */
} matmult_result;

/* C = A B on the device. All three matrices are n x n, n >= 1, row-major in host memory; element
 * (i, j) of A is a[i * lda + j], and so on. Leading dimensions are counted in elements and are at
 * least n. Elements of c outside its n columns are not written. A failing CUDA call prints one
 * sentence and exits with status 1; a step that the device cannot run says what it needs and exits
 * with status 77 before it does anything. */
matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c, int ldc,
                           int n);

/* The same on the CPU, the reference: double products, a double accumulator, one rounding to float
 * at the end. */
void matmult(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int n);

#ifdef __cplusplus
}
#endif
#endif
