/* opencl.h - runs student.cl on an OpenCL device. */
#ifndef OPENCL_H
#define OPENCL_H
#ifdef __cplusplus
extern "C" {
#endif

/* C (m x n) = A (m x p) B (p x n) by the kernel matmult of the file source, built with TS = tile.
 * The device is the first one of any platform, or the first whose name has the text OPENCL_DEVICE=
 * in it. Returns 0, or 1 after a sentence on stderr, and after the build's log where there is one.
 */
int opencl_multiply(const char *source, const int *a, const int *b, int *c, int m, int p, int n,
                    int tile);

#ifdef __cplusplus
}
#endif
#endif
