/* collectives.cu - what nccl.h must do, for any number of ranks, on GPUs too:
 *
 *     collectives RANKS thread|threads|processes
 *
 * All values are small integers, so that every sum is exact in every type. Nothing is waited for
 * but at the end of a case: what stands in a stream comes after what stands before it. */
#include "ranks.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { COUNT = 1003, MOST_RANKS = 8 };

/* Element i of what rank sends. */
static __host__ __device__ int value_of(int rank, int i) { return (i * 7 + rank * 3) % 11 + 1; }

template <class T> static __global__ void fill(T *p, int rank, int count) {
    for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x)
        p[i] = (T)(float)value_of(rank, i);
}
/* Counts elements that are not what they should be. Kinds of results: */
enum expected { OF_RANK, OF_ALL, SUM, PRODUCT, MAXIMUM, MINIMUM, PART_OF_SUM, UNTOUCHED };
static __device__ float expect(expected what, int rank, int ranks, int i, int begin) {
    if (what == OF_RANK)
        return (float)value_of(rank, i);
    if (what == OF_ALL)
        return (float)value_of(i / COUNT, i % COUNT);
    if (what == UNTOUCHED)
        return 0;
    int result = value_of(0, begin + i);
    for (int r = 1; r < ranks; r++) {
        const int v = value_of(r, begin + i);
        result = what == PRODUCT   ? result * v
                 : what == MAXIMUM ? max(result, v)
                 : what == MINIMUM ? min(result, v)
                                   : result + v;
    }
    return (float)result;
}
template <class T>
static __global__ void check(const T *p, int count, expected what, int rank, int ranks, int begin,
                             int *wrong) {
    for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x)
        if ((float)p[i] != expect(what, rank, ranks, i, begin))
            atomicAdd(wrong, 1);
}

/* A rank's memory in a case: of the largest type, for all ranks. */
struct buffers {
    void *send, *receive;
    int *wrong;
};
static thread_local buffers memory[MOST_RANKS];
static thread_local rank_data *local;
static thread_local int local_count, wrong_cases;

static void begin_case() {
    for (int l = 0; l < local_count; l++) {
        const size_t bytes = 8u * COUNT * (size_t)local[l].ranks;
        choose_device(local[l].rank);
        CUDA(cudaMemsetAsync(memory[l].receive, 0, bytes, local[l].stream));
        CUDA(cudaMemsetAsync(memory[l].wrong, 0, sizeof(int), local[l].stream));
    }
}
static void end_case(const char *name) {
    for (int l = 0; l < local_count; l++) {
        int wrong = -1;
        choose_device(local[l].rank);
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpyAsync(&wrong, memory[l].wrong, sizeof wrong, cudaMemcpyDeviceToHost,
                             local[l].stream));
        CUDA(cudaStreamSynchronize(local[l].stream));
        if (wrong) {
            fprintf(stderr, "%s: rank %d of %d: %d wrong elements\n", name, local[l].rank,
                    local[l].ranks, wrong);
            wrong_cases++;
        }
    }
}
template <class T, class Call, class Check>
static void run_case(const char *name, int elements, Call call, Check verify) {
    begin_case();
    for (int l = 0; l < local_count; l++) {
        choose_device(local[l].rank);
        fill<<<1, 128, 0, local[l].stream>>>((T *)memory[l].send, local[l].rank, elements);
    }
    NCCL(ncclGroupStart());
    for (int l = 0; l < local_count; l++)
        call(local[l], (T *)memory[l].send, (T *)memory[l].receive);
    NCCL(ncclGroupEnd());
    for (int l = 0; l < local_count; l++) {
        choose_device(local[l].rank);
        verify(local[l], (T *)memory[l].send, (T *)memory[l].receive, memory[l].wrong);
    }
    end_case(name);
}

template <class T> static void test_collectives(ncclDataType_t type) {
    const int ranks = local[0].ranks, root = ranks - 1;
    const auto check_all = [=](rank_data &r, T *, T *receive, int *wrong) {
        check<<<1, 128, 0, r.stream>>>(receive, COUNT * ranks, OF_ALL, 0, ranks, 0, wrong);
    };
    run_case<T>(
        "ncclBroadcast", COUNT,
        [=](rank_data &r, T *send, T *receive) {
            NCCL(ncclBroadcast(send, receive, COUNT, type, root, r.comm, r.stream));
        },
        [=](rank_data &r, T *, T *receive, int *wrong) {
            check<<<1, 128, 0, r.stream>>>(receive, COUNT, OF_RANK, root, ranks, 0, wrong);
        });
    run_case<T>(
        "ncclBcast", COUNT,
        [=](rank_data &r, T *send, T *) {
            NCCL(ncclBcast(send, COUNT, type, 0, r.comm, r.stream));
        },
        [=](rank_data &r, T *send, T *, int *wrong) {
            check<<<1, 128, 0, r.stream>>>(send, COUNT, OF_RANK, 0, ranks, 0, wrong);
        });
    run_case<T>(
        "ncclAllGather", COUNT,
        [=](rank_data &r, T *send, T *receive) {
            NCCL(ncclAllGather(send, receive, COUNT, type, r.comm, r.stream));
        },
        check_all);
    run_case<T>(
        "ncclAllGather in place", COUNT,
        [=](rank_data &r, T *send, T *receive) {
            T *own = receive + r.rank * COUNT;
            choose_device(r.rank);
            CUDA(cudaMemcpyAsync(own, send, COUNT * sizeof(T), cudaMemcpyDeviceToDevice, r.stream));
            NCCL(ncclAllGather(own, receive, COUNT, type, r.comm, r.stream));
        },
        check_all);
    const struct {
        ncclRedOp_t op;
        expected what;
    } OPERATIONS[] = {{ncclSum, SUM}, {ncclMax, MAXIMUM}, {ncclMin, MINIMUM}, {ncclProd, PRODUCT}};
    for (const auto &o : OPERATIONS) {
        if (o.op == ncclProd && (ranks > 2 || sizeof(T) == 1)) /* the values would be too large */
            continue;
        run_case<T>(
            "ncclAllReduce", COUNT,
            [=](rank_data &r, T *send, T *receive) {
                NCCL(ncclAllReduce(send, receive, COUNT, type, o.op, r.comm, r.stream));
            },
            [=](rank_data &r, T *, T *receive, int *wrong) {
                check<<<1, 128, 0, r.stream>>>(receive, COUNT, o.what, 0, ranks, 0, wrong);
            });
    }
    run_case<T>(
        "ncclReduce", COUNT,
        [=](rank_data &r, T *send, T *receive) {
            NCCL(ncclReduce(send, receive, COUNT, type, ncclSum, root, r.comm, r.stream));
        },
        [=](rank_data &r, T *, T *receive, int *wrong) {
            check<<<1, 128, 0, r.stream>>>(receive, COUNT, r.rank == root ? SUM : UNTOUCHED, 0,
                                           ranks, 0, wrong);
        });
    run_case<T>(
        "ncclReduceScatter", COUNT * ranks,
        [=](rank_data &r, T *send, T *receive) {
            NCCL(ncclReduceScatter(send, receive, COUNT, type, ncclSum, r.comm, r.stream));
        },
        [=](rank_data &r, T *, T *receive, int *wrong) {
            check<<<1, 128, 0, r.stream>>>(receive, COUNT, PART_OF_SUM, 0, ranks, r.rank * COUNT,
                                           wrong);
        });
    run_case<T>(
        "a ring of ncclSend and ncclRecv", COUNT,
        [=](rank_data &r, T *send, T *receive) {
            NCCL(ncclSend(send, COUNT, type, (r.rank + 1) % ranks, r.comm, r.stream));
            NCCL(ncclRecv(receive, COUNT, type, (r.rank + ranks - 1) % ranks, r.comm, r.stream));
        },
        [=](rank_data &r, T *, T *receive, int *wrong) {
            check<<<1, 128, 0, r.stream>>>(receive, COUNT, OF_RANK, (r.rank + ranks - 1) % ranks,
                                           ranks, 0, wrong);
        });
}

/* Everything to everybody, and several calls in one group. */
static void test_all_to_all() {
    const int ranks = local[0].ranks;
    run_case<int>(
        "all to all", COUNT,
        [=](rank_data &r, int *send, int *receive) {
            for (int other = 0; other < ranks; other++) {
                NCCL(ncclSend(send, COUNT, ncclInt32, other, r.comm, r.stream));
                NCCL(ncclRecv(receive + other * COUNT, COUNT, ncclInt32, other, r.comm, r.stream));
            }
        },
        [=](rank_data &r, int *, int *receive, int *wrong) {
            check<<<1, 128, 0, r.stream>>>(receive, COUNT * ranks, OF_ALL, 0, ranks, 0, wrong);
        });
}

/* Many calls, one after the other, none waited for: more than a rank can have open. */
static void test_many() {
    const int ranks = local[0].ranks;
    enum { MANY = 300 };
    run_case<int>(
        "many", COUNT, [=](rank_data &, int *, int *) {}, [=](rank_data &, int *, int *, int *) {});
    begin_case();
    for (int i = 0; i < MANY; i++) {
        NCCL(ncclGroupStart());
        for (int l = 0; l < local_count; l++)
            NCCL(ncclAllGather(memory[l].send, memory[l].receive, COUNT, ncclInt32, local[l].comm,
                               local[l].stream));
        NCCL(ncclGroupEnd());
    }
    for (int l = 0; l < local_count; l++) {
        choose_device(local[l].rank);
        check<<<1, 128, 0, local[l].stream>>>((int *)memory[l].receive, COUNT * ranks, OF_ALL, 0,
                                              ranks, 0, memory[l].wrong);
    }
    end_case("many calls");
}

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            wrong_cases++;                                                                         \
        }                                                                                          \
    } while (0)
static void test_questions() {
    for (int l = 0; l < local_count; l++) {
        const rank_data &r = local[l];
        int count, rank, device, devices, version;
        ncclResult_t error = ncclInternalError;
        NCCL(ncclCommCount(r.comm, &count));
        NCCL(ncclCommUserRank(r.comm, &rank));
        NCCL(ncclCommCuDevice(r.comm, &device));
        NCCL(ncclCommGetAsyncError(r.comm, &error));
        NCCL(ncclGetVersion(&version));
        CUDA(cudaGetDeviceCount(&devices));
        EXPECT(count == r.ranks && rank == r.rank && device == r.rank % devices);
        EXPECT(error == ncclSuccess && version >= 20000);
        EXPECT(strcmp(ncclGetErrorString(ncclSuccess), "no error") == 0);
        choose_device(r.rank);
        EXPECT(ncclBcast(memory[l].send, 4, ncclInt8, r.ranks, r.comm, r.stream) ==
               ncclInvalidArgument);
        EXPECT(ncclBcast(memory[l].send, 4, (ncclDataType_t)99, 0, r.comm, r.stream) ==
               ncclInvalidArgument);
        EXPECT(ncclAllReduce(memory[l].send, memory[l].receive, 4, ncclInt8, (ncclRedOp_t)77,
                             r.comm, r.stream) == ncclInvalidArgument);
    }
    EXPECT(ncclGroupEnd() == ncclInvalidUsage);
    (void)ncclGetLastError(NULL); /* the calls failed on purpose */
}

static int run(rank_data *ranks_here, int count) {
    local = ranks_here;
    local_count = count;
    for (int l = 0; l < count; l++) {
        const size_t bytes = 8u * COUNT * (size_t)local[l].ranks;
        choose_device(local[l].rank);
        CUDA(cudaMalloc(&memory[l].send, bytes));
        CUDA(cudaMalloc(&memory[l].receive, bytes));
        CUDA(cudaMalloc(&memory[l].wrong, sizeof(int)));
        CUDA(cudaMemset(memory[l].send, 0, bytes));
        CUDA(cudaDeviceSynchronize()); /* the streams do not wait for the default one */
    }
    test_questions();
    test_collectives<signed char>(ncclInt8);
    test_collectives<unsigned char>(ncclUint8);
    test_collectives<int>(ncclInt32);
    test_collectives<unsigned>(ncclUint32);
    test_collectives<long long>(ncclInt64);
    test_collectives<unsigned long long>(ncclUint64);
    test_collectives<__half>(ncclFloat16);
    test_collectives<float>(ncclFloat32);
    test_collectives<double>(ncclFloat64);
    test_collectives<__nv_bfloat16>(ncclBfloat16);
    test_all_to_all();
    test_many();
    for (int l = 0; l < count; l++) {
        choose_device(local[l].rank);
        CUDA(cudaFree(memory[l].send));
        CUDA(cudaFree(memory[l].receive));
        CUDA(cudaFree(memory[l].wrong));
    }
    return wrong_cases != 0;
}

int main(int argc, char **argv) {
    const int ranks = argc > 2 ? atoi(argv[1]) : 0;
    if (ranks < 1 || ranks > MOST_RANKS) {
        fprintf(stderr, "usage: collectives RANKS thread|threads|processes\n");
        return 2;
    }
    return run_ranks(argv[2], ranks, run);
}
