/* check_many_gpus.c - steps for several devices: the same bits on any number of them, in threads of
 * one process and in processes that mpirun starts, and whenever an asynchronous effect happens. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "all_steps.h"
#include "command.h"
#include "operands.h"
#include "ranks.h"
#include "suite.h"
#include <cuda_runtime.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MPIRUN "mpirun --oversubscribe --allow-run-as-root -np"

enum { MOST_STEPS = 10 };
static const step_facts *steps[MOST_STEPS],
    *step;                       /* for several devices; the last one, or the one in question */
static const listed_step *alone; /* for one device, with the same bits */
static int count;

/* n, how many devices, CUDACPU_ASYNC: the sizes are below a tile, of one tile a device and more,
 * and odd; above what another kernel does; and one whose bits are known. On a GPU's machine the
 * devices are those that there are. */
static const struct {
    int n, devices;
    const char *mode;
} RUNS[] = {{1, 2, "early"},   {1, 8, "late"},     {100, 3, "random"}, {100, 4, "late"},
            {300, 2, "late"},  {300, 3, "late"},   {300, 4, "random"}, {300, 8, "early"},
            {641, 2, "early"}, {641, 3, "random"}, {641, 4, "late"},   {641, 8, "early"},
            {1000, 1, "late"}, {1000, 3, "late"},  {1537, 4, "early"}};

/* The same with a process for each rank. */
static const struct {
    int n, ranks;
    const char *mode;
} MPI_RUNS[] = {{100, 1, "random"}, {300, 1, "late"}, {100, 2, "late"},
                {300, 2, "random"}, {100, 3, "late"}, {300, 3, "late"},
                {100, 4, "random"}, {300, 4, "late"}, {1000, 3, "late"}};

/* The hash that a run prints; the run must have kept its error bound. */
static void read_hash(const char *prefix, const char *options, int n, char *hash, size_t size) {
    char command[300];
    snprintf(command, sizeof command, "%s " BUILD "/%s/run %s -n %d --csv", prefix, step->name,
             options, n);
    const outcome o = run_command(command);
    const char *comma = strrchr(o.out, ',');
    ck_assert_msg(o.status == 0 && comma, "%s: status %d, '%s'", command, o.status, o.err);
    snprintf(hash, size, "%s", comma + 1);
}

/* The hash is the one that step.conf gives for this n, or that of one device. */
static void check_hash(const char *prefix, int n) {
    char one[40] = "", several[40];
    for (const step_hash *known = step->hashes; known->n; known++)
        if (known->n == n)
            snprintf(one, sizeof one, "%016llx\n", known->hash);
    if (!*one)
        read_hash("", "--devices 1", n, one, sizeof one);
    read_hash(prefix, "", n, several, sizeof several);
    ck_assert_msg(strcmp(one, several) == 0, "n = %d, %s: %s, not %s", n, prefix, several, one);
}

START_TEST(test_devices) {
    char prefix[100];
    const int run = _i % COUNT_OF(RUNS);
    step = steps[_i / COUNT_OF(RUNS)];
    snprintf(prefix, sizeof prefix, "CUDACPU_DEVICES=%d CUDACPU_ASYNC=%s CUDACPU_SEED=%d",
             RUNS[run].devices, RUNS[run].mode, run);
    check_hash(prefix, RUNS[run].n);
}
END_TEST

START_TEST(test_mpi) {
    char prefix[100];
    snprintf(prefix, sizeof prefix, "CUDACPU_ASYNC=%s " MPIRUN " %d", MPI_RUNS[_i].mode,
             MPI_RUNS[_i].ranks);
    check_hash(prefix, MPI_RUNS[_i].n);
}
END_TEST

/* The command line, and the status. */
START_TEST(test_wrong_usage) {
    static const struct {
        const char *options;
        int status;
        const char *sentence;
    } USES[] = {{"--devices 0", 2, "--devices '0': not a whole number from 1 to 64"},
                {"--devices", 2, "--devices needs a value: a whole number from 1 to 64"},
                {"--devices 64", 1, "--devices 64: there "},
                {"-n 50 >&-", 1, "the output could not be written"}};
    char command[200];
    for (int i = 0; i < COUNT_OF(USES); i++) {
        snprintf(command, sizeof command, "(CUDACPU_DEVICES=2 " BUILD "/%s/run %s)", step->name,
                 USES[i].options);
        const outcome o = run_command(command);
        ck_assert_msg(o.status == USES[i].status && strstr(o.err, USES[i].sentence) &&
                          count_lines(o.err) == 1,
                      "%s: status %d, '%s'", command, o.status, o.err);
    }
}
END_TEST

/* A rank that fails ends the others, which wait for it. */
START_TEST(test_failing_rank) {
    static const char *const FAULTS[] = {"cudaMalloc 2", "cudaMemcpyAsync 4", "cudaEventRecord 19"};
    char command[200];
    for (int late = 0; late < 2; late++) {
        snprintf(command, sizeof command,
                 "CUDACPU_DEVICES=3 CUDACPU_ASYNC=%s timeout 50 " BUILD "/tests/overlap/%s %s 300",
                 late ? "late" : "early", step->name, FAULTS[_i]);
        const outcome o = run_command(command);
        ck_assert_msg(o.status == 1 && count_lines(o.err) == 1, "%s: status %d, '%s'", command,
                      o.status, o.err);
    }
}
END_TEST

/* With less than NCCL, MPI, a device for each rank and access between them: it works, or says in a
 * sentence what it needs. */
static const struct {
    const char *prefix, *folder, *program;
    int status;
    const char *out, *err; /* err: the sentence */
} LESS[] = {{"CUDACPU_DEVICES=0", "", "run", 1, "",
             "no CUDA device can be used: no CUDA-capable device is"},
            {"CUDACPU_DEVICES=2", "tests/bare", "run", 0,
             "Devices: 1 of 2, since this program was built "
             "without NCCL\n",
             ""},
            {"CUDACPU_DEVICES=2", "tests/bare", "run --devices 2", 1, "",
             "several devices need NCCL, which "},
            {MPIRUN " 2", "tests/bare", "run", 1, "",
             "2 processes were started to work together, and this "
             "program was built without MPI: 'make deps MPI=1'"},
            {MPIRUN " 2", "tests/bare", "run_mpi", 1, "",
             "several devices need NCCL, which this program was "},
            {MPIRUN " 3 sh -c 'exec \"$@\" -s $((OMPI_COMM_WORLD_RANK / 2))' sh", "", "run", 1, "",
             "all ranks need the same arguments, and rank 0 has '-n 100 -s 0', rank 2 has '-n "
             "100 -s 1'\n"},
            {MPIRUN " 2", "", "run --devices 2", 1, "",
             "--devices 2: 2 ranks were started, each with a device of its own\n"},
            {"CUDACPU_DEVICES=2 " MPIRUN " 3", "", "run", 1, "",
             "NCCL cannot join 3 ranks: invalid usage (each "
             "needs a device of its own; on this machine "
             "there are 3 ranks, devices: 2)"}};
enum { LESS_WITHOUT_MPI = 3 };

START_TEST(test_less) {
    char command[300];
    snprintf(command, sizeof command, "%s timeout 60 " BUILD "/%s/%s/%s -n 100", LESS[_i].prefix,
             LESS[_i].folder, step->name, LESS[_i].program);
    const outcome o = run_command(command);
    const int by_mpi = strstr(LESS[_i].prefix, "mpirun") != NULL; /* which has words of its own */
    /* mpirun itself may crash when it has ended aborted ranks: seen once in some 400 times */
    ck_assert_msg((by_mpi ? o.status != 0 : o.status == LESS[_i].status) &&
                      strstr(o.out, LESS[_i].out) && strstr(o.err, LESS[_i].err) &&
                      (by_mpi || count_lines(o.err) == (o.status != 0)),
                  "%s: status %d, '%s', '%s'", command, o.status, o.out, o.err);
}
END_TEST

START_TEST(test_no_access) {
    char one[40], several[40];
    read_hash("", "--devices 1", 300, one, sizeof one);
    read_hash("CUDACPU_PEER=0 CUDACPU_DEVICES=3", "", 300, several, sizeof several);
    ck_assert_str_eq(one, several);
}
END_TEST

/* A rank that is killed ends all. */
START_TEST(test_killed_rank) {
    char command[400];
    snprintf(command, sizeof command,
             "timeout 100 " MPIRUN " 3 sh -c '"
             "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then killed=\"timeout -s KILL 2\"; fi; "
             "exec $killed " BUILD "/%s/run -n 300 -r 1000000'",
             step->name);
    const outcome o = run_command(command);
    ck_assert_msg(o.status == 128 + 9 && strstr(o.err, "signal 9"), "%s: status %d, '%s'", command,
                  o.status, o.err);
}
END_TEST

/* mpirun binds each of two processes to a core; this process is bound here, its parent is not. */
START_TEST(test_cores) {
    cpu_set_t parents, own;
    sched_getaffinity(getppid(), sizeof parents, &parents);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &parents))
        cpu++;
    CPU_ZERO(&own);
    CPU_SET(cpu, &own);
    ck_assert_int_eq(sched_setaffinity(0, sizeof own, &own), 0);
    use_cores_of_parent();
    sched_getaffinity(0, sizeof own, &own);
    ck_assert_msg(CPU_EQUAL(&own, &parents), "%d cores, not %d", CPU_COUNT(&own),
                  CPU_COUNT(&parents));
}
END_TEST

/* Operands of every kind: the bits of one device, with narrow panels too. */
START_TEST(test_kinds) {
    enum { N = 385 };
    static const char *const DEVICES[] = {"2", "3", "4"};
    static float a[N * N], b[N * N], one[N * N], several[N * N];
    const operand_kind kind = (operand_kind)(_i % OPERAND_KINDS);
    const listed_step *many = &all_steps[_i / OPERAND_KINDS];
    setenv("CUDACPU_DEVICES", DEVICES[_i % 3], 1);
    setenv("CUDACPU_ASYNC", _i % 2 ? "early" : "late", 1);
    for (unsigned long seed = 0; seed < 3; seed++) {
        fill_operand(a, N, N, kind, seed, 0);
        fill_operand(b, N, N, kind, seed, 1);
        alone->cuda(a, N, b, N, one, N, N);
        (seed == 1 ? find_narrow(many->facts) : many->cuda)(a, N, b, N, several, N, N);
        ck_assert_msg(memcmp(one, several, sizeof one) == 0,
                      "%s, %s operands, seed %lu, %s devices: other bits than %s",
                      many->facts->name, operand_names[kind], seed, DEVICES[_i % 3],
                      alone->facts->name);
    }
}
END_TEST

/* Rows that spoil a product as a whole only together: no rank has enough of them. */
START_TEST(test_spoiled_together) {
    enum { N = 385, EVERY = 32 };
    static float a[N * N], b[N * N], one[N * N], several[N * N];
    const listed_step *many = &all_steps[_i];
    setenv("CUDACPU_DEVICES", "3", 1);
    fill_operand(a, N, N, UNIFORM, 0, 0);
    fill_operand(b, N, N, UNIFORM, 0, 1);
    for (int i = 0; i < N; i += EVERY)
        for (int j = 0; j < N; j++)
            a[i * N + j] *= j == i ? 1 : 1e-9f;
    const matmult_result alone_result = alone->cuda(a, N, b, N, one, N, N);
    const char *note = alone_result.note ? alone_result.note : "";
    ck_assert_msg(strncmp(note, "all ", 4) == 0, "%s on one device: '%s'", alone->facts->name,
                  note);
    many->cuda(a, N, b, N, several, N, N);
    ck_assert_msg(memcmp(one, several, sizeof one) == 0, "%s: other bits than %s",
                  many->facts->name, alone->facts->name);
}
END_TEST

/* What inspect says that each device sends and receives: rows of A and columns of B come, rows of C
 * and what was found go, slices and norms of a rank's columns go to each other rank that has some.
 */
START_TEST(test_traffic) {
    static const int SIZES[][2] = {{500, 2}, {500, 4}, {512, 2}, {512, 4}};
    /* found: five counts, and one for each of 256 SMs */
    enum { FLOAT = 4, FOUND = 4 * (5 + 256), ALL_SLICES = 3, OF_COLUMN = 8 + 16 + 4, OF_TILE = 4 };
    const int n = SIZES[_i][0], devices = SIZES[_i][1], tile = (int)step->tile,
              tiles = (n + tile - 1) / tile, padded = tiles * tile;
    char command[200];
    snprintf(command, sizeof command,
             "CUDACPU_DEVICES=%d ./%s/inspect -n %d | grep '^device [0-9]'", devices, step->name,
             n);
    const outcome o = run_command(command);
    const char *line = o.out;
    long shards = 0; /* ranks that have some tiles */
    for (int d = 0; d < devices; d++)
        shards += (tiles * (d + 1) + devices - 1) / devices > (tiles * d + devices - 1) / devices;
    for (int d = 0; d < devices; d++) {
        const long first = (tiles * d + devices - 1) / devices * tile,
                   end = (tiles * (d + 1) + devices - 1) / devices * tile, count = end - first,
                   rows = (end < n ? end : n) - (first < n ? first : n),
                   of_tile = tile * (ALL_SLICES * padded + OF_COLUMN) + OF_TILE,
                   expected[] = {FLOAT * (rows * padded + n * count), FLOAT * rows * padded + FOUND,
                                 count ? of_tile * (padded - count) / tile : 0,
                                 of_tile * count / tile * (shards - 1)};
        long said[4];
        int length = 0, number = -1;
        ck_assert_msg(sscanf(line, "device %d %ld %ld %ld %ld\n%n", &number, &said[0], &said[1],
                             &said[2], &said[3], &length) == 5 &&
                          number == d && memcmp(said, expected, sizeof said) == 0,
                      "%s: '%s', but device %d has %ld %ld %ld %ld", command, line, d, expected[0],
                      expected[1], expected[2], expected[3]);
        line += length;
    }
    ck_assert_msg(!*line, "%s: '%s'", command, line);
}
END_TEST

static int count_in_child(const void *unused) {
    int devices = 0;
    (void)unused;
    return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0;
}

static void add_many_gpus(Suite *suite) {
    for (int i = 0; i < step_count; i++)
        if (!all_steps[i].facts->several_devices)
            alone = &all_steps[i];
        else if (count < MOST_STEPS)
            steps[count++] = step = all_steps[i].facts;
    if (!is_asked_for("many_gpus"))
        return;
    if (!step) {
        skip("many_gpus", "no step is for several devices");
        return;
    }
    TCase *part = add_part(suite, "many_gpus", 300);
    tcase_add_loop_test(part, test_devices, 0, count * COUNT_OF(RUNS));
    for (int i = 0; alone && i < step_count; i++)
        if (all_steps[i].facts->several_devices) {
            tcase_add_loop_test(part, test_kinds, i * OPERAND_KINDS, (i + 1) * OPERAND_KINDS);
            tcase_add_loop_test(part, test_spoiled_together, i, i + 1);
        }
    if (!alone)
        skip("many_gpus with every kind of operands", "no step is for one device");
    tcase_add_test(part, test_wrong_usage);
    tcase_add_test(part, test_cores);
    const int on_cpu = strcmp(BACKEND, "cpu") == 0;
    if (on_cpu) {
        tcase_add_loop_test(part, test_failing_rank, 0, 3);
        tcase_add_loop_test(part, test_less, 0, LESS_WITHOUT_MPI);
        tcase_add_test(part, test_no_access);
        if (!SANITIZED) /* inspect has none */
            tcase_add_loop_test(part, test_traffic, 0, 4);
    }
    if (run_command("pkg-config --exists ompi-c && mpirun --version").status != 0) {
        skip("many_gpus with MPI", "it is not here ('make deps MPI=1')");
        return;
    }
    /* on a GPU's machine there is a device for each rank */
    const int devices = on_cpu ? MOST_DEVICES : run_in_child(count_in_child, NULL).status;
    for (int i = 0; i < COUNT_OF(MPI_RUNS); i++) {
        char run[100];
        snprintf(run, sizeof run, "many_gpus with %d ranks at n = %d", MPI_RUNS[i].ranks,
                 MPI_RUNS[i].n);
        if (MPI_RUNS[i].ranks <= devices)
            tcase_add_loop_test(part, test_mpi, i, i + 1);
        else
            skip(run, "there are not so many devices");
    }
    if (on_cpu) {
        tcase_add_loop_test(part, test_less, LESS_WITHOUT_MPI, COUNT_OF(LESS));
        tcase_add_test(part, test_killed_rank);
    }
}

void add_nccl(Suite *suite); /* cudacpu/tests/check_nccl.c */
void add_parts(Suite *suite) {
    add_many_gpus(suite);
    if (SANITIZED)
        skip("nccl", "what it runs has no sanitizer, and is in the suite without one");
    else if (strcmp(BACKEND, "cpu") == 0)
        add_nccl(suite);
}
