/* lab4.h - what student.cu gives to the lab's program and to its tests. A is m x n, B n x k, C m x
 * k. */
#ifndef LAB4_H
#define LAB4_H
#ifdef __cplusplus
extern "C" {
#endif

/* m, n and k from the command line. Returns 0, or 2 after one sentence on stderr. */
int read_sizes(int argc, char **argv, int sizes[3]);

void multiply_serial(const double *a, const double *b, double *c, int m, int n, int k);

/* C = A B on the device with blocks of block x block threads; block is 8, 16 or 32. They return the
 * kernel's time in milliseconds, by CUDA events. */
float multiply_global(const double *a, const double *b, double *c, int m, int n, int k, int block);
float multiply_tiled(const double *a, const double *b, double *c, int m, int n, int k, int block);
float multiply_rows(const double *a, const double *b, double *c, int m, int n, int k, int block);

/* What main() has to do: it asks read_sizes for the sizes, makes random matrices, and prints
 * corners and times. */
int lab4(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
