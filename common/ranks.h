/* ranks.h - the ranks of a product, one for each device: threads of one process, or processes that
 * MPI started. Chapter: docs/35_sharded.md */
#ifndef RANKS_H
#define RANKS_H
#include "workspace.h"
#include <stddef.h>
#if defined __has_include && !defined WITHOUT_NCCL
#if __has_include(<nccl.h>)
#include <nccl.h>
#define HAVE_NCCL 1
#endif
#endif
#ifdef __cplusplus
extern "C" {
#endif

typedef struct rank {
    int number, count; /* count: of all processes */
#ifdef HAVE_NCCL
    ncclComm_t comm; /* of all ranks; none where there is one */
#endif
    cudaEvent_t received[MOST_DEVICES]; /* in round i; 0: made here. Without a time */
} rank;

/* Starts the ranks, once: as many as MPI started processes, else as many as devices says, 0: one
 * for each device of the machine. Makes what they keep: communicators, streams, events. Then this
 * process's current device is the one of its first rank. Ends the program with a sentence where
 * there are not so many devices, or what joins them is missing. When a rank fails later and exits,
 * all end at once. */
void start_ranks(int devices);

/* Performs work for each rank of this process, in threads where there are several, with the rank's
 * device as the current one; returns when all are done. Starts the ranks if nobody has. */
void run_ranks(void (*work)(const rank *r, void *argument), void *argument);

/* Is it the first rank of this process? */
int is_first_here(const rank *r);

/* mpirun binds each of few processes to one core, where the threads that copy would take turns.
 * Such a process gets the cores of the one that started it; start_ranks calls this. */
void use_cores_of_parent(void);

/* Called by all ranks: returns when all have called it. */
void wait_for_ranks(const rank *r);
/* Called by all ranks: the largest of their values, the sum. */
double largest_of_ranks(const rank *r, double value);
double sum_of_ranks(const rank *r, double value);

/* Of so many tiles, the first of this rank; that of rank `count` is tiles. The first ranks have
 * some where there are not enough for all. */
static inline size_t first_tile(size_t tiles, int number, int count) {
    return (tiles * (size_t)number + (size_t)count - 1) / (size_t)count;
}

/* Called by all ranks: each gets all columns of a matrix of so many tiles each way, of `tile`
 * elements, of which each rank gives its own: float, in the order of the ranks, leading dimension
 * tiles * tile. To be freed by cudaFree; when it returns, the columns are there. */
float *gather_columns(const rank *r, const float *own, size_t tiles, size_t tile,
                      cudaStream_t stream);

/* Has this process the first rank, which reports? */
int is_first_process(void);
/* "4 ranks, each a thread with a device", or why there is one; NULL where there is one device. */
const char *describe_ranks(void);
/* Of C, n x n without gaps, the first process gets the rows that other processes have. */
void gather_rows(float *c, int n, size_t tile);

#ifdef HAVE_NCCL
/* As CUDA_CHECK. */
#define NCCL_CHECK(call)                                                                           \
    do {                                                                                           \
        ncclResult_t nccl_check_result = (call);                                                   \
        if (nccl_check_result != ncclSuccess) {                                                    \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    ncclGetErrorString(nccl_check_result));                                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#endif

#ifdef __cplusplus
}
#endif
#endif
