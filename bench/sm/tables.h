/* tables.h - what a streaming multiprocessor and the memories around it can do, a table of CSV
 * each. */
#ifndef TABLES_H
#define TABLES_H
#ifdef __cplusplus
extern "C" {
#endif

/* Each prints a head and rows to stdout. A failing CUDA call prints one sentence and exits with
 * 1. */

/* Cycles and ns from one dependent operation to the next: an FMA, shared memory, global memory by
 * the size of what is read. */
void table_latency(void);

/* TB/s of all SMs together: shared memory, and global memory by the size of what is read. */
void table_rates(void);

/* TFLOP/s of FMAs by warps for a scheduler and independent chains in a thread; GB/s of memory by
 * the bytes that an SM has asked for and not yet got. */
void table_little_fma(void);
void table_little_memory(void);

/* Time when the lanes of a warp, or the warps of a block, go so many ways. */
void table_divergence(void);

/* Cycles of a warp's load from shared memory by the distance of its lanes' words. */
void table_banks(void);

/* What CUDA says of a kernel that writes out of bounds, and of a launch that is not possible: call
 * by call. The context is lost afterwards. */
void table_failing(void);

#ifdef __cplusplus
}
#endif
#endif
