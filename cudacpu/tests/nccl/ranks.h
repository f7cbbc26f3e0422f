/* ranks.h - the ranks of a test: all in one thread, in a thread each, or in a process each. */
#ifndef RANKS_H
#define RANKS_H
#include <nccl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct rank_data {
    int rank, ranks;
    ncclComm_t comm;
    cudaStream_t stream;
} rank_data;

#define CUDA(call)                                                                                 \
    do {                                                                                           \
        cudaError_t cuda_error = (call);                                                           \
        if (cuda_error != cudaSuccess) {                                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(cuda_error));    \
            exit(3);                                                                               \
        }                                                                                          \
    } while (0)
#define NCCL(call)                                                                                 \
    do {                                                                                           \
        ncclResult_t nccl_error = (call);                                                          \
        if (nccl_error != ncclSuccess) {                                                           \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, ncclGetErrorString(nccl_error), \
                    ncclGetLastError(NULL));                                                       \
            exit(3);                                                                               \
        }                                                                                          \
    } while (0)

/* What count ranks of this thread do: 0 when all is well. */
typedef int (*rank_program)(rank_data *local, int count);

static rank_program program_of_ranks;
static ncclUniqueId common_id;

static void choose_device(int rank) {
    int devices;
    CUDA(cudaGetDeviceCount(&devices));
    CUDA(cudaSetDevice(rank % devices));
}
static void begin_rank(rank_data *r) {
    choose_device(r->rank);
    CUDA(cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking));
}
static void end_rank(rank_data *r) {
    choose_device(r->rank);
    CUDA(cudaStreamDestroy(r->stream));
    NCCL(ncclCommDestroy(r->comm));
}

static int run_rank(int rank, int ranks) {
    rank_data r = {rank, ranks, NULL, NULL};
    begin_rank(&r);
    NCCL(ncclCommInitRank(&r.comm, ranks, common_id, rank));
    const int status = program_of_ranks(&r, 1);
    end_rank(&r);
    return status;
}

static int run_one_thread(int ranks) {
    rank_data *all = (rank_data *)calloc((size_t)ranks, sizeof *all);
    ncclComm_t *comms = (ncclComm_t *)calloc((size_t)ranks, sizeof *comms);
    NCCL(ncclCommInitAll(comms, ranks, NULL));
    for (int r = 0; r < ranks; r++) {
        all[r].rank = r, all[r].ranks = ranks, all[r].comm = comms[r];
        begin_rank(&all[r]);
    }
    const int status = program_of_ranks(all, ranks);
    for (int r = 0; r < ranks; r++)
        end_rank(&all[r]);
    free(all);
    free(comms);
    return status;
}

typedef struct thread_data {
    pthread_t thread;
    int rank, ranks, status;
} thread_data;
static void *run_thread(void *argument) {
    thread_data *t = (thread_data *)argument;
    t->status = run_rank(t->rank, t->ranks);
    return NULL;
}
static int run_threads(int ranks) {
    thread_data *all = (thread_data *)calloc((size_t)ranks, sizeof *all);
    int status = 0;
    NCCL(ncclGetUniqueId(&common_id));
    for (int r = 0; r < ranks; r++) {
        all[r].rank = r, all[r].ranks = ranks;
        pthread_create(&all[r].thread, NULL, run_thread, &all[r]);
    }
    for (int r = 0; r < ranks; r++) {
        pthread_join(all[r].thread, NULL);
        status |= all[r].status;
    }
    free(all);
    return status;
}

/* The parent calls nothing of CUDA: a context does not survive a fork. */
static int run_processes(int ranks) {
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return 3;
    for (int r = 0; r < ranks; r++) {
        if (fork() != 0)
            continue;
        if (r == 0) {
            NCCL(ncclGetUniqueId(&common_id));
            for (int i = 1; i < ranks; i++)
                if (write(ends[1], &common_id, sizeof common_id) != (ssize_t)sizeof common_id)
                    exit(3);
        } else if (read(ends[0], &common_id, sizeof common_id) != (ssize_t)sizeof common_id) {
            exit(3);
        }
        exit(run_rank(r, ranks));
    }
    for (int r = 0; r < ranks; r++) {
        int ended = 0;
        wait(&ended);
        status |= WIFEXITED(ended) ? WEXITSTATUS(ended) : 4;
    }
    return status;
}

/* way: "thread", one thread for all; "threads"; "processes". */
static int run_ranks(const char *way, int ranks, rank_program program) {
    program_of_ranks = program;
    return strcmp(way, "thread") == 0      ? run_one_thread(ranks)
           : strcmp(way, "threads") == 0   ? run_threads(ranks)
           : strcmp(way, "processes") == 0 ? run_processes(ranks)
                                           : 2;
}
#endif
