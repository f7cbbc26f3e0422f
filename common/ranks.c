/* ranks.c - starts the ranks, as threads or by MPI, and lets them wait for each other. */
#define _GNU_SOURCE /* on_exit, sched_setaffinity */
#include "ranks.h"
#include "cuda_check.h"
#include "tasks.h"
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_MPI
#include <mpi.h>
#endif

static rank ranks[MOST_DEVICES]; /* of this process */
static int local;                /* how many; 0: not started yet */
static int there;                /* devices of this machine */
static int by_mpi;               /* each rank is a process */
static pthread_barrier_t barrier;
static double values[MOST_DEVICES];

/* Ends the program with a sentence. Where all ranks fail, the first one's ends the others in time.
 */
static void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
static void fail(const char *format, ...) {
    va_list arguments;
    if (ranks[0].number > 0)
        sleep(1);
    va_start(arguments, format);
    fflush(stdout);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
#ifdef HAVE_MPI
    if (by_mpi)
        MPI_Abort(MPI_COMM_WORLD, 1);
#endif
    exit(1);
}

/* Has something like mpirun started this process? Then its number, and how many there are, else 0.
 */
static int count_started(int *number) {
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                           {"PMI_SIZE", "PMI_RANK"},
                                           {"MPI_LOCALNRANKS", "MPI_LOCALRANKID"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i][0]) && getenv(names[i][1])) {
            *number = atoi(getenv(names[i][1]));
            return atoi(getenv(names[i][0]));
        }
    return 0;
}

void use_cores_of_parent(void) {
    enum { THREADS_OF_A_CORE = 2 };
    cpu_set_t own, parents;
    if (sched_getaffinity(0, sizeof own, &own) == 0 && CPU_COUNT(&own) <= THREADS_OF_A_CORE &&
        sched_getaffinity(getppid(), sizeof parents, &parents) == 0)
        sched_setaffinity(0, sizeof parents, &parents);
}

/* The last one made, so the first one called: of ranks that wait for each other none may wait any
 * longer when one has failed. */
static void end_ranks(int status, void *unused) {
    (void)unused;
    fflush(NULL);
#ifdef HAVE_MPI
    if (by_mpi && status != 0)
        MPI_Abort(MPI_COMM_WORLD, status);
#endif
    if (status != 0 && ranks[0].count > 1)
        _exit(status);
    for (int i = 0; i < local; i++) {
#ifdef HAVE_NCCL
        if (ranks[i].comm)
            ncclCommDestroy(ranks[i].comm);
#endif
        for (int j = 0; j < MOST_DEVICES; j++)
            if (ranks[i].received[j])
                cudaEventDestroy(ranks[i].received[j]);
    }
#ifdef HAVE_MPI
    if (by_mpi)
        MPI_Finalize();
#endif
}

#ifdef HAVE_MPI
static int here; /* ranks on this machine */

/* All ranks multiply the same matrices: they are started with the same arguments. */
static void compare_arguments(void) {
    char own[500] = "", first[sizeof own];
    FILE *file = fopen("/proc/self/cmdline", "r");
    const size_t length = file ? fread(own, 1, sizeof own - 1, file) : 0;
    if (file)
        fclose(file);
    const size_t program = strlen(own) + 1;
    memmove(own, own + program, sizeof own - program);
    for (size_t i = 0; i + program + 1 < length; i++)
        if (!own[i])
            own[i] = ' ';
    memcpy(first, own, sizeof own);
    MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
    int other = strcmp(own, first) != 0 ? ranks[0].number : ranks[0].count;
    MPI_Allreduce(MPI_IN_PLACE, &other, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (other == ranks[0].count)
        return;
    if (ranks[0].number == other)
        MPI_Send(own, sizeof own, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    if (ranks[0].number == 0) {
        MPI_Recv(own, sizeof own, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        fail("all ranks need the same arguments, and rank 0 has '%s', rank %d has '%s'", first,
             other, own);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* rank 0 ends all */
}

/* One rank, with a device of this machine: the ranks of a machine take them in turn. */
static int start_by_mpi(void) {
    MPI_Comm machine;
    int provided, number, count, of_machine;
    use_cores_of_parent();
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    by_mpi = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, number, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &of_machine);
    MPI_Comm_size(machine, &here);
    MPI_Comm_free(&machine);
    if (count > MOST_DEVICES)
        fail("%d ranks, and %d are the most", count, MOST_DEVICES);
    ranks[0].number = number;
    ranks[0].count = count;
    compare_arguments();
    return of_machine % there;
}
#endif

static void make_communicators(void) {
#ifdef HAVE_NCCL
    if (!by_mpi) {
        ncclComm_t comms[MOST_DEVICES];
        NCCL_CHECK(ncclCommInitAll(comms, local, NULL));
        for (int i = 0; i < local; i++)
            ranks[i].comm = comms[i];
    }
#ifdef HAVE_MPI
    if (by_mpi) {
        ncclUniqueId id;
        if (ranks[0].number == 0)
            NCCL_CHECK(ncclGetUniqueId(&id));
        MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
        const ncclResult_t result =
            ncclCommInitRank(&ranks[0].comm, ranks[0].count, id, ranks[0].number);
        if (result != ncclSuccess)
            fail("NCCL cannot join %d ranks: %s (each needs a device of its own; on this machine "
                 "there are %d ranks, devices: %d)",
                 ranks[0].count, ncclGetErrorString(result), here, there);
    }
#endif
#else
    fail("several devices need NCCL, which this program was built without: nccl.h was "
         "not found");
#endif
}

void start_ranks(int devices) {
    int first = 0;
    if (local)
        return;
    local = 1;
    ranks[0].count = 1;
    CUDA_CHECK(cudaGetDeviceCount(&there));
    const int started = count_started(&ranks[0].number);
    if (started > 1) {
#ifdef HAVE_MPI
        first = start_by_mpi();
        if (devices)
            fail("--devices %d: %d ranks were started, each with a device of its own", devices,
                 started);
#else
        fail("%d processes were started to work together, and this program was built "
             "without MPI: 'make deps MPI=1' installs it",
             started);
#endif
    } else {
        if (devices > there)
            fail("--devices %d: there %s %d", devices, there == 1 ? "is" : "are", there);
#ifdef HAVE_NCCL
        local = devices ? devices : there < MOST_DEVICES ? there : MOST_DEVICES;
#else
        local = devices ? devices : 1;
#endif
    }
    for (int i = local - 1; i >= 0; i--) {
        if (!by_mpi) {
            ranks[i].number = i;
            ranks[i].count = local;
        }
        CUDA_CHECK(cudaSetDevice(by_mpi ? first : i));
        const workspace *w = get_workspace(0);
        for (int j = 0; j < ranks[i].count; j++) {
            CUDA_CHECK(cudaEventCreateWithFlags(&ranks[i].received[j], cudaEventDisableTiming));
            /* So that what the runtime does at exit stands before end_ranks, which comes first. */
            CUDA_CHECK(cudaEventRecord(ranks[i].received[j], w->down));
        }
    }
    if (ranks[0].count > 1)
        make_communicators();
    if (local > 1) {
        pthread_barrier_init(&barrier, NULL, (unsigned)local);
        expect_task_users(local);
    }
    on_exit(end_ranks, NULL);
}

typedef struct assignment {
    const rank *r;
    void (*work)(const rank *r, void *argument);
    void *argument;
} assignment;

static void *perform(void *given) {
    const assignment *a = given;
    CUDA_CHECK(cudaSetDevice(a->r->number));
    a->work(a->r, a->argument);
    return NULL;
}

void run_ranks(void (*work)(const rank *r, void *argument), void *argument) {
    assignment assignments[MOST_DEVICES];
    pthread_t threads[MOST_DEVICES];
    start_ranks(0);
    for (int i = 1; i < local; i++) {
        assignments[i] = (assignment){&ranks[i], work, argument};
        if (pthread_create(&threads[i], NULL, perform, &assignments[i]) != 0)
            fail("no thread for device %d", i);
    }
    work(&ranks[0], argument);
    for (int i = 1; i < local; i++)
        pthread_join(threads[i], NULL);
}

void wait_for_ranks(const rank *r) {
    if (r->count == 1)
        return;
#ifdef HAVE_MPI
    if (by_mpi) {
        MPI_Barrier(MPI_COMM_WORLD);
        return;
    }
#endif
    pthread_barrier_wait(&barrier);
}

/* The values of all ranks, from the first on, summed or the largest. */
static double join_values(const rank *r, double value, int sums) {
    if (r->count == 1)
        return value;
#ifdef HAVE_MPI
    if (by_mpi) {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, sums ? MPI_SUM : MPI_MAX,
                      MPI_COMM_WORLD);
        return value;
    }
#endif
    values[r->number] = value;
    wait_for_ranks(r);
    double all = values[0];
    for (int i = 1; i < r->count; i++)
        all = sums ? all + values[i] : values[i] > all ? values[i] : all;
    wait_for_ranks(r); /* all have read */
    return all;
}

double largest_of_ranks(const rank *r, double value) { return join_values(r, value, 0); }
double sum_of_ranks(const rank *r, double value) { return join_values(r, value, 1); }

int is_first_here(const rank *r) { return r == &ranks[0]; }

float *gather_columns(const rank *r, const float *own, size_t tiles, size_t tile,
                      cudaStream_t stream) {
    const size_t n = tiles * tile, pitch = n * sizeof(float);
    float *all, *part = NULL;
    CUDA_CHECK(cudaMalloc((void **)&all, n * pitch));
    if (r->count > 1)
        CUDA_CHECK(cudaMalloc((void **)&part, first_tile(tiles, 1, r->count) * tile * pitch));
    for (int i = 0; i < r->count; i++) {
        const size_t first = first_tile(tiles, i, r->count) * tile,
                     columns = first_tile(tiles, i + 1, r->count) * tile - first,
                     width = columns * sizeof(float);
        if (columns == 0)
            continue;
#ifdef HAVE_NCCL
        if (r->count > 1)
            NCCL_CHECK(ncclBroadcast(own, part, columns * n, ncclFloat, i, r->comm, stream));
#endif
        CUDA_CHECK(cudaMemcpy2DAsync(all + first, pitch, part ? part : own, width, width, n,
                                     cudaMemcpyDeviceToDevice, stream));
    }
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaFree(part));
    return all;
}

int is_first_process(void) { return ranks[0].number == 0; }

const char *describe_ranks(void) {
    static char text[100];
    snprintf(text, sizeof text, "%d ranks, each a %s with a device", ranks[0].count,
             by_mpi ? "process" : "thread");
#ifndef HAVE_NCCL
    if (there > 1) {
        snprintf(text, sizeof text, "1 of %d, since this program was built without NCCL", there);
        return text;
    }
#endif
    return ranks[0].count > 1 ? text : NULL;
}

void gather_rows(float *c, int n, size_t tile) {
#ifdef HAVE_MPI
    const size_t tiles = ((size_t)n + tile - 1) / tile;
    for (int from = 1; by_mpi && from < ranks[0].count; from++)
        for (size_t t = first_tile(tiles, from, ranks[0].count);
             t < first_tile(tiles, from + 1, ranks[0].count); t++) {
            const size_t row = t * tile, left = (size_t)n - row, rows = left < tile ? left : tile;
            float *part = c + row * (size_t)n;
            const int count = (int)(rows * (size_t)n);
            if (ranks[0].number == from)
                MPI_Send(part, count, MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
            else if (ranks[0].number == 0)
                MPI_Recv(part, count, MPI_FLOAT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
#else
    (void)c, (void)n, (void)tile;
#endif
}
