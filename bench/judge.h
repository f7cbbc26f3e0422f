/* judge.h - an fp64 product on the device, and the error of float results against it. */
#ifndef JUDGE_H
#define JUDGE_H
#ifdef __cplusplus
extern "C" {
#endif

/* Computes A B (n x n, row-major, no gaps, in host memory) in double on the device and keeps it
 * there, in the place of the one before. A failing CUDA call prints one sentence and exits with 1.
 */
void prepare_judge(const float *a, const float *b, int n);

/* Largest and mean error of c (n x n, host memory) against that product, as parts of (|A| |B|)_ij:
 * relative errors where no operand is negative. (n + 1) 2^-149 of each is not counted. Infinite
 * where one of c and the product is not finite and the other is not the same. */
void judge_error(const float *c, double *max_error, double *mean_error);

#ifdef __cplusplus
}
#endif
#endif
