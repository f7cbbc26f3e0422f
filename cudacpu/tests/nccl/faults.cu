/* faults.cu - ranks that do not fit together, one fault each, and what must be said:
 *
 *     faults NAME RANKS thread|threads|processes
 *
 * The status is 3 when a result is wrong. */
#include "ranks.h"
#include <atomic>
#include <time.h>

enum { COUNT = 100 };
static const char *name;
static bool is(const char *fault) { return strcmp(name, fault) == 0; }

static __global__ void set(int *p, int value) { p[threadIdx.x] = value; }
static __global__ void compute_for(time_t seconds) {
    timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while (now.tv_sec - start.tv_sec <= seconds);
}

/* A rank's memory. */
struct buffers {
    int *send, *receive, *pinned;
};
static buffers make_buffers(const rank_data &r) {
    buffers b;
    choose_device(r.rank);
    CUDA(cudaMalloc(&b.send, COUNT * sizeof(int)));
    CUDA(cudaMalloc(&b.receive, COUNT * sizeof(int) * (size_t)r.ranks));
    CUDA(cudaMallocHost(&b.pinned, COUNT * sizeof(int)));
    set<<<1, COUNT, 0, r.stream>>>(b.send, r.rank + 1);
    return b;
}

/* Never inlined: a compiler that merges two calls of one function has no line for what is left. */
__attribute__((noinline)) static void all_reduce(const rank_data &r, const buffers &b,
                                                 size_t count) {
    NCCL(ncclAllReduce(b.send, b.receive, count, ncclInt32, ncclSum, r.comm, r.stream));
}
__attribute__((noinline)) static void broadcast(const rank_data &r, const buffers &b, int root) {
    NCCL(ncclBroadcast(b.send, b.receive, COUNT, ncclInt32, root, r.comm, r.stream));
}

/* Of ranks that are apart: a thread or a process each. */
static void run_apart(const rank_data &r, const buffers &b) {
    const bool last = r.rank == r.ranks - 1;
    const int other = 1 - r.rank;
    if (is("different_orders")) {
        if (last)
            broadcast(r, b, 0);
        all_reduce(r, b, COUNT);
        if (!last)
            broadcast(r, b, 0);
    } else if (is("different_counts")) {
        all_reduce(r, b, last ? COUNT / 2 : COUNT);
    } else if (is("different_types")) {
        NCCL(ncclAllGather(b.send, b.receive, COUNT, last ? ncclFloat32 : ncclInt32, r.comm,
                           r.stream));
    } else if (is("different_roots")) {
        broadcast(r, b, last);
    } else if (is("different_sizes")) {
        if (r.rank == 0)
            NCCL(ncclSend(b.send, COUNT, ncclInt32, 1, r.comm, r.stream));
        else
            NCCL(ncclRecv(b.receive, COUNT / 2, ncclInt32, 0, r.comm, r.stream));
    } else if (is("both_send")) {
        NCCL(ncclSend(b.send, COUNT, ncclInt32, other, r.comm, r.stream));
        NCCL(ncclRecv(b.receive, COUNT, ncclInt32, other, r.comm, r.stream));
    } else if (is("different_kinds")) {
        if (last) {
            all_reduce(r, b, COUNT);
            NCCL(ncclRecv(b.receive, COUNT, ncclInt32, 0, r.comm, r.stream)); /* first */
        } else {
            NCCL(ncclSend(b.send, COUNT, ncclInt32, 1, r.comm, r.stream)); /* second */
            all_reduce(r, b, COUNT);
        }
    } else if (is("open_group")) {
        if (last)
            NCCL(ncclGroupStart());
        all_reduce(r, b, COUNT);
    } else if (is("leaves")) {
        broadcast(r, b, 0);
        if (!last)
            all_reduce(r, b, COUNT);
    } else if (is("dies")) {
        if (last)
            _exit(9);
        all_reduce(r, b, COUNT);
    } else if (is("never_comes")) {
        if (last)
            for (;;)
                sleep(1);
        all_reduce(r, b, COUNT);
    } else if (is("computes")) { /* no fault: it comes late, but its process is busy */
        if (last)
            compute_for<<<1, 1, 0, r.stream>>>(3);
        all_reduce(r, b, COUNT);
    } else if (is("exits")) { /* one thread ends the program, while another one waits for it */
        static std::atomic<bool> called;
        if (last) {
            while (!called)
                usleep(100);
            exit(5);
        }
        all_reduce(r, b, COUNT);
        called = true;
    } else if (is("aborts")) { /* at once; others may still take what it has sent */
        printf("%s\n", "where standard output is closed, this goes nowhere");
        fflush(stdout);
        all_reduce(r, b, COUNT);
        CUDA(cudaStreamSynchronize(r.stream));
        NCCL(ncclCommAbort(r.comm));
        exit(0);
    } else if (is("ignored")) { /* the call fails, and nobody looks */
        (void)ncclAllReduce(b.send, b.receive, COUNT * 2, ncclInt32, ncclSum, r.comm, r.stream);
    } else if (is("overlapping")) {
        NCCL(ncclAllReduce(b.receive, b.receive + 1, COUNT / 2, ncclInt32, ncclSum, r.comm,
                           r.stream));
    } else if (is("captured")) {
        CUDA(cudaStreamBeginCapture(r.stream, cudaStreamCaptureModeThreadLocal));
        NCCL(ncclAllReduce(b.send, b.receive, COUNT, ncclInt8, ncclSum, r.comm, r.stream));
    } else if (is("too_early")) { /* in another stream, without an event */
        cudaStream_t another;
        CUDA(cudaStreamCreateWithFlags(&another, cudaStreamNonBlocking));
        all_reduce(r, b, COUNT);
        CUDA(cudaMemcpyAsync(b.pinned, b.receive, COUNT * sizeof(int), cudaMemcpyDeviceToHost,
                             another));
        CUDA(cudaStreamSynchronize(another));
        CUDA(cudaStreamSynchronize(r.stream));
        if (b.pinned[7] != r.ranks * (r.ranks + 1) / 2)
            exit(3);
    } else if (is("unwaited")) { /* memory of the host, read at once */
        NCCL(ncclAllReduce(b.send, b.pinned, COUNT, ncclInt32, ncclSum, r.comm, r.stream));
        if (b.pinned[7] != r.ranks * (r.ranks + 1) / 2)
            exit(3);
    } else {
        exit(2);
    }
    CUDA(cudaStreamSynchronize(r.stream));
}

static int run(rank_data *local, int count) {
    buffers b[8];
    for (int l = 0; l < count; l++)
        b[l] = make_buffers(local[l]);
    if (is("not_ended"))
        NCCL(ncclGroupStart()); /* for all */
    if (is("no_group") || is("not_ended")) {
        for (int l = 0; l < count; l++)
            all_reduce(local[l], b[l], COUNT);
        for (int l = 0; l < count; l++)
            CUDA(cudaStreamSynchronize(local[l].stream));
        exit(0);
    }
    run_apart(local[0], b[0]);
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    name = argv[1];
    if (is("rank_is_missing")) { /* of three there are two */
        NCCL(ncclGetUniqueId(&common_id));
        run_rank(1, 3);
    }
    return run_ranks(argv[3], atoi(argv[2]), run);
}
