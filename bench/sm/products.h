/* products.h - the steps, and variants of step 02, called as the benchmark calls them. */
#ifndef PRODUCTS_H
#define PRODUCTS_H

/* CSV of the kernel time of step 02 as it is, with its mapping swapped, and with blocks of other
 * sizes, at n = 1000 and 8192: median, least and greatest of the runs. */
void table_launches(void);

/* Calls each of these steps once at n, all where count is 0, each behind a kernel named
 * marker_kernel whose grid has as many blocks as the step's number: for a profiler. An unknown name
 * prints a sentence and exits with 2. */
void call_steps(int n, int count, char **names);

/* The mark: a launch of so many blocks. */
#ifdef __cplusplus
extern "C"
#endif
    void
    mark(unsigned blocks);

#endif
