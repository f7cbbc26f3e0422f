/* check_nccl.c - what nccl.h must do, between ranks in one thread, in a thread each and in a
 * process each; and what must be said where ranks do not fit together, instead of a hang. */
#define _POSIX_C_SOURCE 200809L
#include "command.h"
#include "suite.h"
#include <stdio.h>
#include <string.h>

#define COLLECTIVES BUILD "/cudacpu/tests/nccl/collectives"
#define FAULTS BUILD "/cudacpu/tests/nccl/faults"
#define SOURCE "cudacpu/tests/nccl/faults.cu"

enum { MOST_RANKS = 4 };
static const char *const WAYS[] = {"thread", "threads", "processes"};
static const char *const MODES[] = {"early", "late", "random CUDACPU_SEED=5"};

START_TEST(test_collectives) {
    const int ranks = _i % MOST_RANKS + 1;
    const char *way = WAYS[_i / MOST_RANKS];
    char command[300];
    for (int mode = 0; mode < COUNT_OF(MODES); mode++) {
        snprintf(command, sizeof command,
                 "CUDACPU_DEVICES=%d CUDACPU_ASYNC=%s " COLLECTIVES " %d %s", ranks, MODES[mode],
                 ranks, way);
        outcome o = run_command(command);
        ck_assert_msg(o.status == 0 && !*o.err, "%s: status %d, '%s'", command, o.status, o.err);
    }
}
END_TEST

/* Ranks of one process have a device each; processes with one device each are machines. */
START_TEST(test_one_device) {
    outcome o = run_command(COLLECTIVES " 3 threads");
    ck_assert_msg(o.status == 3 && strstr(o.err, "ranks 0 and 1 both have device 0"),
                  "status %d, '%s'", o.status, o.err);
    o = run_command("CUDACPU_DEVICES=2 " COLLECTIVES " 3 processes");
    ck_assert_msg(o.status == 3 && strstr(o.err, "ranks 0 and 2 both have device 0"),
                  "status %d, '%s'", o.status, o.err);
    o = run_command(COLLECTIVES " 3 processes");
    ck_assert_msg(o.status == 0 && !*o.err, "status %d, '%s'", o.status, o.err);
}
END_TEST

/* The sentence after "cudacpu: ", with "{text}" for the place of this text in SOURCE; or NULL, and
 * a wrong result with CUDACPU_ASYNC=late. */
static const struct {
    const char *name, *ways, *sentence;
} EXPECTED[] = {
    {"different_orders", "threads processes",
     "the ranks of a communicator call collectives in different orders: rank 0 calls ncclAllReduce "
     "of 100 int32 (sum) ({ncclAllReduce}), rank 1 calls ncclBroadcast of 100 int32 from rank 0 "
     "({ncclBroadcast}) (for each it is collective number 1)\n"},
    {"different_counts", "threads processes",
     "the ranks of a communicator call the same collective differently: rank 0 calls ncclAllReduce "
     "of 100 int32 (sum) ({ncclAllReduce}), rank 1 calls ncclAllReduce of 50 int32 (sum) "
     "({ncclAllReduce})\n"},
    {"different_types", "threads processes",
     "the ranks of a communicator call the same collective differently: rank 0 calls ncclAllGather "
     "of 100 int32 ({ncclAllGather}), rank 1 calls ncclAllGather of 100 float32 "
     "({ncclAllGather})\n"},
    {"different_roots", "threads processes",
     "the ranks of a communicator call the same collective differently: rank 0 calls ncclBroadcast "
     "of 100 int32 from rank 0 ({ncclBroadcast}), rank 1 calls ncclBroadcast of 100 int32 from "
     "rank 1 ({ncclBroadcast})\n"},
    {"different_sizes", "threads processes",
     "a send and the receive that it meets differ: rank 0 calls ncclSend of 100 int32 to rank 1 "
     "({ncclSend}), rank 1 calls ncclRecv of 50 int32 from rank 0 ({ncclRecv})\n"},
    {"both_send", "threads processes",
     "no rank of a communicator can go on: rank 0 waits in ncclSend ({ncclInt32, other}) for rank "
     "1; rank 1 waits in ncclSend ({ncclInt32, other}) for rank 0\n"},
    {"different_kinds", "threads processes",
     "no rank of a communicator can go on: rank 0 waits in ncclSend ({ncclInt32, 1, r.comm, "
     "r.stream)); /* second}) for rank 1; rank 1 waits in ncclAllReduce ({ncclAllReduce}) for rank "
     "0\n"},
    {"open_group", "threads processes",
     "rank 1: a group was never ended, and its calls have not begun: ncclGroupStart "
     "({ncclGroupStart})\n"},
    {"not_ended", "thread",
     "rank 1: a group was never ended, and its calls have not begun: ncclGroupStart "
     "({ncclGroupStart()); /* for all})\n"},
    {"leaves", "threads processes",
     "rank 0 waits in ncclAllReduce ({ncclAllReduce}) for rank 1, which has left the communicator; "
     "it has last called ncclBroadcast ({ncclBroadcast})\n"},
    {"dies", "processes",
     "rank 0 waits in ncclAllReduce ({ncclAllReduce}) for rank 1, which is gone: its process has "
     "ended; it has called nothing yet\n"},
    {"never_comes", "processes",
     "rank 0 waits in ncclAllReduce ({ncclAllReduce}) for rank 1, and nothing has happened for 1 s "
     "(CUDACPU_NCCL_TIMEOUT); rank 1 has called nothing yet\n"},
    {"never_comes", "threads",
     "rank 0 waits in ncclAllReduce ({ncclAllReduce}) for rank 1, and nothing has happened for 1 s "
     "(CUDACPU_NCCL_TIMEOUT); rank 1 has called nothing yet; one thread that has several ranks "
     "calls between ncclGroupStart and ncclGroupEnd\n"},
    {"too_early", "threads processes", NULL},
};

static int line_of(const char *text, size_t length) {
    static char source[20000];
    char wanted[200];
    int line = 1;
    read_text(SOURCE, source, sizeof source);
    snprintf(wanted, sizeof wanted, "%.*s", (int)length, text);
    const char *found = strstr(source, wanted);
    ck_assert_msg(found != NULL, SOURCE " has no '%s'", wanted);
    for (const char *at = source; at < found; at++)
        line += *at == '\n';
    return line;
}
static void fill_places(const char *sentence, char *out, size_t size) {
    size_t used = (size_t)snprintf(out, size, "cudacpu: ");
    while (*sentence && used < size - 100)
        if (*sentence == '{') {
            const size_t length = strcspn(++sentence, "}");
            used +=
                (size_t)snprintf(out + used, size - used, SOURCE ":%d", line_of(sentence, length));
            sentence += length + 1;
        } else {
            out[used++] = *sentence++;
        }
    out[used] = 0;
}

/* The others end with the rank that has spoken. */
START_TEST(test_fault) {
    char command[300], expected[1000];
    const char *sentence = EXPECTED[_i].sentence;
    for (int way = 0; way < COUNT_OF(WAYS); way++) {
        const char *found = strstr(EXPECTED[_i].ways, WAYS[way]);
        if (!found || (found[strlen(WAYS[way])] && found[strlen(WAYS[way])] != ' '))
            continue;
        for (int mode = sentence ? 0 : 1; mode < 2; mode++) {
            snprintf(command, sizeof command,
                     "CUDACPU_NCCL_TIMEOUT=%d CUDACPU_DEVICES=2 CUDACPU_ASYNC=%s " FAULTS
                     " %s 2 %s",
                     strcmp(EXPECTED[_i].name, "never_comes") == 0 ? 1 : 30, MODES[mode],
                     EXPECTED[_i].name, WAYS[way]);
            outcome o = run_command(command);
            if (!sentence) {
                ck_assert_msg(o.status == 3, "%s: status %d, '%s'", command, o.status, o.err);
                continue;
            }
            fill_places(sentence, expected, sizeof expected);
            const char *said = strstr(o.err, "cudacpu: ");
            while (said && strstr(said, " ends: another rank has said why\n") ==
                               said + strlen("cudacpu: rank 0"))
                said = strstr(said + 1, "cudacpu: ");
            ck_assert_msg(o.status != 0 && said && strncmp(said, expected, strlen(expected)) == 0,
                          "%s: status %d, '%s', not '%s'", command, o.status, o.err, expected);
            ck_assert_msg(!strpbrk(o.err, "%") && !strstr(o.err, "\n\n"), "%s: '%s'", command,
                          o.err);
        }
    }
}
END_TEST

START_TEST(test_late) {
    char expected[1000];
    outcome o = run_command("CUDACPU_DEVICES=2 CUDACPU_ASYNC=late " FAULTS " no_group 2 thread");
    fill_places("one thread calls ncclAllReduce ({ncclAllReduce}) for ranks 0 and 1 without a "
                "group: the first call may wait for the second; ncclGroupStart and ncclGroupEnd "
                "make them begin together\n",
                expected, sizeof expected);
    ck_assert_msg(o.status == 1 && strcmp(o.err, expected) == 0, "status %d, '%s', not '%s'",
                  o.status, o.err, expected);
    o = run_command("CUDACPU_DEVICES=2 CUDACPU_ASYNC=late CUDACPU_NCCL_TIMEOUT=30 " FAULTS
                    " exits 2 threads");
    fill_places("rank 0 waits in ncclAllReduce ({ncclAllReduce}) for rank 1, which does not come "
                "any more: another thread has called exit(); it has called nothing yet\n",
                expected, sizeof expected);
    ck_assert_msg(o.status == 1 && strstr(o.err, expected), "status %d, '%s', not '%s'", o.status,
                  o.err, expected);
    o = run_command("CUDACPU_DEVICES=2 CUDACPU_ASYNC=late " FAULTS " unwaited 2 processes");
    ck_assert_msg(o.status != 0 && strstr(o.err, "cudacpu: host code read memory that "
                                                 "ncclAllReduce (" SOURCE),
                  "status %d, '%s'", o.status, o.err);
}
END_TEST

/* One rank, and its call alone. */
START_TEST(test_refused) {
    static const struct {
        const char *name, *sentence;
        int status;
    } USES[] = {
        {"ignored",
         "warning: the call at {(void)ncclAllReduce} failed: ncclAllReduce: what it sends is 800 "
         "bytes, and only 400 of them lie in their allocation; the program did not ask why "
         "(ncclGetLastError)\n",
         0},
        {"overlapping",
         "rank 0 calls ncclAllReduce ({NCCL(ncclAllReduce(b.receive}): what it sends overlaps "
         "where it receives, and is not its own part of that (in place)\n",
         1},
        {"captured", "", 3}};
    char command[200], expected[1000];
    for (int i = 0; i < COUNT_OF(USES); i++) {
        snprintf(command, sizeof command, FAULTS " %s 1 thread", USES[i].name);
        const outcome o = run_command(command);
        fill_places(USES[i].sentence, expected, sizeof expected);
        if (!*USES[i].sentence)
            snprintf(expected, sizeof expected, "cudacpu does not capture calls of nccl.h");
        ck_assert_msg(o.status == USES[i].status && strstr(o.err, expected),
                      "%s: status %d, '%s', not '%s'", command, o.status, o.err, expected);
    }
}
END_TEST

/* Ranks that leave as soon as they have their own result; and what a program prints never goes to
 * what they share. */
START_TEST(test_leaving) {
    static const char *const USES[] = {"aborts 4 processes", "aborts 4 processes >&-"};
    char command[300];
    for (int i = 0; i < COUNT_OF(USES); i++) {
        snprintf(command, sizeof command, "(CUDACPU_DEVICES=4 timeout 100 " FAULTS " %s)", USES[i]);
        const outcome o = run_command(command);
        ck_assert_msg(o.status == 0 && !*o.err, "%s: status %d, '%s'", command, o.status, o.err);
    }
}
END_TEST

/* A rank that computes for longer than the others' patience is waited for. */
START_TEST(test_computing) {
    char command[300];
    for (int way = 1; way < COUNT_OF(WAYS); way++)
        for (int mode = 0; mode < 2; mode++) {
            snprintf(command, sizeof command,
                     "CUDACPU_NCCL_TIMEOUT=1 CUDACPU_DEVICES=2 CUDACPU_ASYNC=%s timeout 60 " FAULTS
                     " computes 2 %s",
                     MODES[mode], WAYS[way]);
            const outcome o = run_command(command);
            ck_assert_msg(o.status == 0 && !*o.err, "%s: status %d, '%s'", command, o.status,
                          o.err);
        }
}
END_TEST

START_TEST(test_missing_rank) {
    outcome o = run_command("CUDACPU_NCCL_TIMEOUT=1 " FAULTS " rank_is_missing 3 thread");
    ck_assert_msg(o.status == 1 && strstr(o.err, "rank 1 of 3 waits in ncclCommInitRank (") &&
                      strstr(o.err, "have not come for 1 s (CUDACPU_NCCL_TIMEOUT): rank 0, 2"),
                  "status %d, '%s'", o.status, o.err);
}
END_TEST

/* Eight programs at once, on fewer processors: a rank that only waits is no sign of life. */
START_TEST(test_patience) {
    enum { PROGRAMS = 8 };
    const outcome o = run_command(
        "(for i in 1 2 3 4 5 6 7 8; do CUDACPU_NCCL_TIMEOUT=1 CUDACPU_DEVICES=2 CUDACPU_ASYNC=late "
        "timeout 60 " FAULTS " never_comes 2 processes & done; wait)");
    int said = 0;
    for (const char *at = o.err; (at = strstr(at, "nothing has happened for 1 s")); at++)
        said++;
    ck_assert_msg(said == PROGRAMS, "%d of %d: '%s'", said, PROGRAMS, o.err);
}
END_TEST

void add_nccl(Suite *suite) {
    TCase *part = add_part(suite, "nccl", 120);
    tcase_add_loop_test(part, test_collectives, 0, MOST_RANKS * COUNT_OF(WAYS));
    tcase_add_test(part, test_one_device);
    tcase_add_loop_test(part, test_fault, 0, COUNT_OF(EXPECTED));
    tcase_add_test(part, test_late);
    tcase_add_test(part, test_refused);
    tcase_add_test(part, test_leaving);
    tcase_add_test(part, test_missing_rank);
    tcase_add_test(part, test_patience);
    tcase_add_test(part, test_computing);
}
