/* check_faults.c - the CPU backend on wrong programs: what it says of their faults, and what its
 * compiler refuses. */
#include "command.h"
#include "cudacpu_parts.h"
#include "refused.h"
#include <stdio.h>
#include <string.h>

/* Faults on the CPU backend, and all that is said of each; {text} stands for file and number of the
 * first line with that text. Without a line break at its end it is the beginning alone: which line
 * overflows a stack is the compiler's choice. */
static const struct {
    const char *arguments;
    int status;
    const char *sentence;
} FAULTS[] = {
    {"write_past 1", 1,
     "cudacpu: kernel fill: block (0,0) thread (1,0) wrote 1 byte past a 1-byte allocation, at "
     "{p[INDEX] = 1}\n"},
    {"write_past 2", 1,
     "cudacpu: kernel fill: block (0,0) thread (2,0) wrote 1 byte past a 2-byte allocation, at "
     "{p[INDEX] = 1}\n"},
    {"write_past 3", 1,
     "cudacpu: kernel fill: block (0,0) thread (3,0) wrote 1 byte past a 3-byte allocation, at "
     "{p[INDEX] = 1}\n"},
    {"write_past 255", 1,
     "cudacpu: kernel fill: block (3,0) thread (63,0) wrote 1 byte past a 255-byte allocation, at "
     "{p[INDEX] = 1}\n"},
    {"write_past 256", 1,
     "cudacpu: kernel fill: block (4,0) thread (0,0) wrote 1 byte past a 256-byte allocation, at "
     "{p[INDEX] = 1}\n"},
    {"write_past 257", 1,
     "cudacpu: kernel fill: block (4,0) thread (1,0) wrote 1 byte past a 257-byte allocation, at "
     "{p[INDEX] = 1}\n"},
    {"write_past 4096", 1,
     "cudacpu: kernel fill: block (64,0) thread (0,0) wrote 1 byte past a 4096-byte allocation, "
     "at {p[INDEX] = 1}\n"},
    {"write_before 1", 1,
     "cudacpu: kernel fill_before: block (0,0) thread (0,0) wrote 1 byte before a 1-byte "
     "allocation, at {p[(int)INDEX - 1]}\n"},
    {"write_before 255", 1,
     "cudacpu: kernel fill_before: block (0,0) thread (0,0) wrote 1 byte before a 255-byte "
     "allocation, at {p[(int)INDEX - 1]}\n"},
    {"write_before 256", 1,
     "cudacpu: kernel fill_before: block (0,0) thread (0,0) wrote 1 byte before a 256-byte "
     "allocation, at {p[(int)INDEX - 1]}\n"},
    {"write_before 4096", 1,
     "cudacpu: kernel fill_before: block (0,0) thread (0,0) wrote 1 byte before a 4096-byte "
     "allocation, at {p[(int)INDEX - 1]}\n"},
    {"double_past", 1,
     "cudacpu: kernel double_at: block (0,0) thread (0,0) wrote 1 byte past a 4000-byte "
     "allocation, at {void double_at}\n"},
    {"write_far", 1,
     "cudacpu: kernel write_at: block (0,0) thread (24,0) wrote 97 bytes past a 4000-byte "
     "allocation, at {void write_at}\n"},
    {"write_far_before", 1,
     "cudacpu: kernel write_at: block (0,0) thread (0,0) wrote 20000 bytes before a 4000-byte "
     "allocation, at {void write_at}\n"},
    {"read_past", 1,
     "cudacpu: kernel read_at: block (0,0) thread (0,0) read 97 bytes past a 4000-byte allocation, "
     "at {p[threadIdx.x] = p[index}\n"},
    {"read_before", 1,
     "cudacpu: kernel read_at: block (0,0) thread (0,0) read 8000 bytes before a 4000-byte "
     "allocation, at {p[threadIdx.x] = p[index}\n"},
    {"null", 1,
     "cudacpu: kernel write_at: block (0,0) thread (0,0) wrote through a null pointer (address 0), "
     "at {void write_at}\n"},
    {"after_free", 1,
     "cudacpu: warning: argument 1 of kernel write_at points to memory that was freed\n"
     "cudacpu: kernel write_at: block (0,0) thread (0,0) wrote in a 4000-byte allocation that was "
     "freed at {cudaFree(q); /* before the launch}, at {void write_at}\n"},
    {"after_many_frees", 1,
     "cudacpu: warning: argument 1 of kernel write_at points to memory that was freed\n"
     "cudacpu: kernel write_at: block (0,0) thread (0,0) wrote in a 4000-byte allocation that was "
     "freed at {cudaFree(q); /* after many}, at {void write_at}\n"},
    {"past_row", 1,
     "cudacpu: kernel write_row: block (0,0) thread (0,0) wrote 1 byte past a 4000-byte "
     "allocation, "
     "at {/* by a pointer */}\n"},
    {"copy_after_free", 1,
     "cudacpu: warning: cudaMemcpy was given 4000 bytes that were freed before, at "
     "{cudaMemcpy(host, q,}; "
     "they were allocated at {cudaMalloc(&q} and freed at {cudaFree(q); /* before the copies}\n"
     "cudacpu: warning: cudaMemcpy was given 4000 bytes that were freed before, at "
     "{cudaMemcpy(host, q +}; "
     "they were allocated at {cudaMalloc(&q} and freed at {cudaFree(q); /* before the copies}\n"
     "cudacpu: warning: cudaMemset was given 4000 bytes that were freed before, at {cudaMemset(q, "
     "0}; "
     "they were allocated at {cudaMalloc(&q} and freed at {cudaFree(q); /* before the copies}\n"
     "invalid argument\n"},
    {"copy_after_free_of_host", 1,
     "cudacpu: host code read in a 64-byte allocation that was freed at {cudaFreeHost(pinned)}, "
     "at {cudaMemcpy(q, pinned}\n"},
    {"too_many_threads", 1,
     "cudacpu: invalid configuration argument: kernel write_at: 2048 threads in a block of "
     "(2048,1,1); 1024 is the most, at {write_at<<<1, 2048>>>}\n"
     "invalid configuration argument\n"},
    {"copy_too_large", 1,
     "cudacpu: invalid argument: cudaMemset: 800 bytes at the pointer, byte 3600 of an allocation "
     "of 4000, at {cudaMemset(q + 900}\ninvalid argument\n"},
    {"double_free", 1,
     "cudacpu: warning: cudaFree was given a pointer that was freed before, at {cudaFree(q); /* "
     "twice */}\ninvalid argument\n"},
    {"host_write", 1,
     "cudacpu: host code used a device pointer (it wrote in a 4000-byte allocation), at {q[3] = "
     "1}; cudaMemcpy copies between host and device\n"},
    {"before_any_call", 1,
     "host code wrote address 0x11172, which is not its own, at {no call so far} (segmentation "
     "fault)\n"},
    {"host_read", 1,
     "cudacpu: host code used a device pointer (it read in a 4000-byte allocation), at {q[3])}; "
     "cudaMemcpy copies between host and device\n"},
    {"host_memcpy", 1,
     "cudacpu: host code used a device pointer (it wrote in a 4000-byte allocation), at "
     "{memcpy(p}; cudaMemcpy copies between host and device\n"},
    {"host_after_free", 1,
     "cudacpu: host code used a device pointer (it wrote in a 4000-byte allocation that was "
     "freed at {cudaFree(q); /* before the host}), at {q[0] = 1}; cudaMemcpy copies between host "
     "and device\n"},
    {"device_pointer_to_host", 0,
     "cudacpu: warning: argument 1 of kernel write_at points to host memory; a GPU could not "
     "follow it (cudaMalloc and cudaMemcpy make a copy that it can)\nno error\n"},
    {"barriers", 1,
     "cudacpu: kernel differ: block (0,0): its threads wait at different barriers: thread (0,0) "
     "and 3 more at {of four}; thread (4,0) and 27 more at {of the others}\nunspecified launch "
     "failure\n"},
    {"barriers_in_a_line", 1,
     "cudacpu: kernel differ_in_a_line: block (0,0): its threads wait at different barriers: "
     "thread (0,0) and 3 more at {one for each}; thread (4,0) and 27 more at {one for each} "
     "(another one there)\nunspecified launch failure\n"},
    {"barriers_counted", 0,
     "cudacpu: warning: kernel differ: block (0,0): its threads wait at different barriers: thread "
     "(0,0) and 3 more at {of four}; thread (4,0) and 27 more at {of the others}; arrivals are "
     "counted, and all go on\nno error\n"},
    {"early", 0,
     "cudacpu: warning: kernel leave_early: block (0,0): the barrier at {__syncthreads(); /* all "
     "but one */} opened after thread (9,1) had ended without reaching it\nno error\n"},
    {"stack", 1,
     "cudacpu: kernel recurse: block (0,0) thread (0,0) used more than its 256 KB of stack, at "
     "cudacpu/tests/faults/faults.cu:"},
    {"stack_array", 1,
     "cudacpu: kernel too_large: block (0,0) thread (0,0) used more than its 256 KB of stack, at "
     "cudacpu/tests/faults/faults.cu:"},
    {"half_warp", 1,
     "cudacpu: kernel store_tile: block (0,0): thread (32,0) at {store_matrix_sync}: wmma needs "
     "all 32 threads of a warp; the block's last one has fewer\nunspecified launch failure\n"},
    {"tile_between", 1,
     "cudacpu: kernel store_tile: block (0,0): thread (0,0) at {store_matrix_sync}: wmma wants "
     "this matrix at a multiple of 32 bytes: it begins 16 bytes after one\n"
     "unspecified launch failure\n"},
    {"rows_between", 1,
     "cudacpu: kernel store_tile: block (0,0): thread (0,0) at {store_matrix_sync}: wmma wants "
     "this matrix's rows (columns, where it is stored by columns) a multiple of 16 bytes apart, "
     "not 72\nunspecified launch failure\n"},
    {"find_array", 1,
     "cudacpu: kernel find_array: block (0,0): thread (0,0) at {/* the first */}: shared address "
     "0x0 is outside of the block's shared memory (0 bytes of dynamic shared memory begin at "
     "0x400, the static one at 0x800); the program has a __shared__ variable with "
     "__align__(8192): a shared address is aligned to at most 1024 bytes, as on a GPU\n"
     "unspecified launch failure\n"},
#ifdef __x86_64__
    {"change_rounding", 0,
     "cudacpu: warning: kernel change_rounding: block (0,0): a thread has changed the CPU's "
     "rounding "
     "mode, which a GPU does not have, and waits: the default mode is back\nno error\n"},
#endif
    {"divide", 1,
     "cudacpu: kernel divide: block (0,0) thread (0,0) divided an integer by zero, at {void "
     "divide}; a GPU goes on with any value\n"},
    {"shared", 1,
     "cudacpu: kernel shared_past: block (0,0) thread (0,0) wrote byte 400 of dynamic shared "
     "memory, past its end, at {row[index] = 1}\n"},
    {"shared_far", 1,
     "cudacpu: kernel shared_past: block (0,0) thread (0,0) wrote byte 20000 of dynamic shared "
     "memory, past its end, at {row[index] = 1}\n"},
    {"assert", 1,
     "{void claim}: void claim(int): block: [0,0,0], thread: [3,0,0] Assertion `(int)threadIdx.x "
     "!= limit` failed.\ndevice-side assert triggered\n"},
    {"trap", 1,
     "cudacpu: kernel stop: block (0,0): thread (5,0) called __trap() at {__trap()}\nunspecified "
     "launch failure\n"},
};

/* Faults of kernels that wait, as above; whole: no more than the error follows. */
static const struct {
    const char *name;
    int whole;
    const char *sentence;
} WAITS[] = {
    {"not_initialised", 1,
     "not_initialised: block (0,0): thread (0,0) at {mbarrier.arrive.shared}: mbarrier.arrive "
     "where "
     "no mbarrier is initialised"},
    {"invalidated", 1,
     "invalidated: block (0,0): thread (0,0) at {pred waits}: mbarrier.try_wait.parity where "
     "no mbarrier is initialised"},
    {"count_0", 1,
     "wrong_count: block (0,0): thread (0,0) at {mbarrier.init}: mbarrier.init with a count of 0: "
     "1 to 1048575 are possible"},
    {"count_large", 1,
     "wrong_count: block (0,0): thread (0,0) at {mbarrier.init}: mbarrier.init with a count of "
     "1048576: 1 to 1048575 are possible"},
    {"in_use", 1,
     "in_use: block (0,0): thread (0,0) at {mbarrier.init}: mbarrier.init of an mbarrier that is "
     "in "
     "use: mbarrier.inval comes first (initialised at {mbarrier.init})"},
    {"misaligned", 1,
     "misaligned: block (0,0): thread (0,0) at {mbarrier.init}: mbarrier.init: an mbarrier's "
     "address is a multiple of 8; this one is 4 more"},
    {"not_shared", 0,
     "not_shared: block (0,0): thread (0,0) at {return (unsigned)__cvta}: an address that is not "
     "in "
     "shared memory: 0x"},
    {"outside", 0,
     "outside: block (0,0): thread (0,0) at {mbarrier.init}: shared address 0x3fff8 is outside of "
     "the block's shared memory (100 bytes of dynamic shared memory begin at 0x"},
    {"too_many_arrivals", 1,
     "too_many_arrivals: block (0,0): thread (0,0) at {mbarrier.arrive.shared}: mbarrier.arrive: 2 "
     "arrivals, but phase 0 expects 3 arrivals and has had 2 (initialised at {mbarrier.init})"},
    {"too_many_bytes", 1,
     "too_many_bytes: block (0,0): thread (0,0) at {mbarrier.expect_tx}: mbarrier.expect_tx: "
     "1048576 bytes would be expected; 1048575 is the most (initialised at {mbarrier.init})"},
    {"overwritten", 1,
     "overwritten: block (0,0): thread (0,0) at {mbarrier.arrive.shared}: mbarrier.arrive of an "
     "mbarrier that something else has written to (initialised at {mbarrier.init})"},
    {"wrong_parity", 1,
     "wrong_parity: block (0,0): none of its threads can go on: thread (32,0) and 31 more wait at "
     "{pred waits}, called from {/* the parity of phase 1}, for phase 2 (parity 0) of the mbarrier "
     "initialised at {mbarrier.init}: 64 "
     "of 64 arrivals missing; 32 ended"},
    {"missing_bytes", 1,
     "missing_bytes: block (0,0): none of its threads can go on: thread (0,0) and 62 more wait at "
     "{pred waits}, called from {/* for the bytes}, for phase 0 (parity 0) of the mbarrier "
     "initialised at {mbarrier.init}: 1 "
     "of "
     "2 arrivals and 10 bytes missing; thread (63,0) waits at {the last thread} for the block's "
     "barrier"},
    {"unannounced", 1,
     "unannounced: block (0,0): none of its threads can go on: thread (0,0) and 31 more wait at "
     "{pred waits}, called from {/* unannounced ones}, for phase 0 (parity 0) of the mbarrier "
     "initialised at {mbarrier.init}: 16 "
     "bytes arrived that no expect_tx announced"},
    {"spins", 1,
     "spins: block (0,0): none of its threads can go on: thread (0,0) and 31 more wait at "
     "{pred spins}, called from {/* spinning}, for phase 0 (parity 0) of the mbarrier initialised "
     "at {mbarrier.init}: 1 "
     "of 1 arrival missing"},
    {"barrier_16", 1,
     "wrong_barrier: block (0,0): thread (0,0) at {bar.sync}: barrier 16: a block has barriers 0 "
     "to "
     "15"},
    {"threads_40", 1,
     "wrong_barrier: block (0,0): thread (0,0) at {bar.sync}: barrier 1 for 40 threads: whole "
     "warps "
     "take part, so a multiple of 32"},
    {"threads_256", 1,
     "wrong_barrier: block (0,0): thread (0,0) at {bar.sync}: barrier 1 for 256 threads: the block "
     "has 128"},
    {"too_few", 1,
     "too_few: block (0,0): none of its threads can go on: thread (0,0) and 63 more wait at "
     "{bar.sync}, called from {/* one warp too few}, for barrier 1 (64 of 96 threads have "
     "arrived); thread (64,0) and 63 more wait at "
     "{/* the others} for the block's barrier"},
    {"different_numbers", 1,
     "different_numbers: block (0,0): thread (32,0) at {bar.sync}: barrier 2 for 96 threads, but "
     "others wait at it for 64"},
    {"half_warp", 1,
     "half_warp: block (0,0): none of its threads can go on: thread (0,0) and 15 more wait at "
     "{mma.sync} for all 32 threads of its warp (mma.sync), of which thread (16,0) has ended; "
     "16 ended"},
    {"gone", 1,
     "gone: block (0,0): none of its threads can go on: thread (0,0) and 126 more wait at "
     "{setmaxnreg.dec} for all 128 threads of its warpgroup (setmaxnreg.dec), of which thread "
     "(77,0) has ended; 1 ended"},
    {"apart", 1,
     "apart: block (0,0): thread (32,0) at {u32 48}: setmaxnreg.dec, while thread (0,0) of the "
     "same "
     "warpgroup waits in setmaxnreg.dec at {of warp 0}: all 128 threads execute the same "
     "instruction"},
    {"remote_wait", 1,
     "remote_wait: block (0,0): thread (0,0) at {pred waits}: mbarrier.try_wait.parity: the "
     "mbarrier of block 1 of the cluster; a block can do this with its own alone"},
    {"not_begun", 1,
     "not_begun: block (0,0): thread (0,0) at {[%0], 1;}: the shared memory of block 1 of its "
     "cluster, which may not have begun: barrier.cluster tells when all are there"},
    {"has_ended", 1,
     "has_ended: block (0,0): thread (0,0) at {[%0], 2;}: the shared memory of block 1 of its "
     "cluster, which has ended: barrier.cluster tells when all are there"},
    {"no_such_rank", 1,
     "no_such_rank: block (0,0): thread (0,0) at {mapa}: block 2 of its cluster: there are 2"},
    {"arrives_twice", 1,
     "arrives_twice: block (0,0): thread (0,0) at {once more}: a second barrier.cluster.arrive "
     "without a barrier.cluster.wait between them"},
    {"waits_only", 1,
     "waits_only: block (0,0): thread (0,0) at {(\"barrier.cluster.wait}: barrier.cluster.wait "
     "without barrier.cluster.arrive"},
    {"one_arrives", 1,
     "one_arrives: block (0,0): no thread of its cluster can go on: thread (0,0) and 31 more wait "
     "at {/* both */} for the barrier of its cluster (32 threads have not arrived); block (1,0): "
     "thread (0,0) and 31 more wait at {pred waits}, called from {/* of the other block}, for "
     "phase 0 (parity 0) of the mbarrier "
     "initialised at {mbarrier.init}: 1 of 1 arrival missing"},
};

/* Writes the sentence to out with files and lines filled in. */
static void fill_lines(const char *file, const char *sentence, char *out, size_t size) {
    static char source[20000];
    read_text(file, source, sizeof source);
    size_t used = 0;
    while (*sentence && used < size - 100) {
        if (*sentence != '{') {
            out[used++] = *sentence++;
            continue;
        }
        char text[100];
        const size_t length = strcspn(++sentence, "}");
        snprintf(text, sizeof text, "%.*s", (int)length, sentence);
        const char *found = strstr(source, text);
        ck_assert_msg(found != NULL, "there is no '%s' in %s", text, file);
        int line = 1;
        for (const char *at = source; at < found; at++)
            line += *at == '\n';
        used += (size_t)snprintf(out + used, size - used, "%s:%d", file, line);
        sentence += length + 1;
    }
    out[used] = 0;
}

static void check_fault(const char *file, const char *program, const char *arguments, int status,
                        const char *sentence) {
    char command[200], expected[1000];
    snprintf(command, sizeof command, BUILD "/cudacpu/tests/faults/%s %s", program, arguments);
    fill_lines(file, sentence, expected, sizeof expected);
    outcome o = run_command(command);
    const size_t length = strlen(expected),
                 compared = expected[length - 1] == '\n' ? length + 1 : length;
    ck_assert_msg(o.status == status && strncmp(o.err, expected, compared) == 0,
                  "%s: status %d, '%s', not '%s'", command, o.status, o.err, expected);
}

START_TEST(test_fault) {
    check_fault("cudacpu/tests/faults/faults.cu", "run", FAULTS[_i].arguments, FAULTS[_i].status,
                FAULTS[_i].sentence);
}
END_TEST

/* A launch that ends for a fault: "cudacpu: kernel ", this, and the error. */
START_TEST(test_wait) {
    char sentence[800];
    snprintf(sentence, sizeof sentence, "cudacpu: kernel %s%s", WAITS[_i].sentence,
             WAITS[_i].whole ? "\nunspecified launch failure\n" : "");
    check_fault("cudacpu/tests/faults/waits.cu", "waits", WAITS[_i].name, 1, sentence);
}
END_TEST

/* Bytes that are left at a block's end are warned of, a wrong cluster is an error of the launch. */
START_TEST(test_other_wait) {
    static const struct {
        const char *name;
        int status;
        const char *sentence;
    } OTHERS[] = {
        {"expected_bytes_left", 0,
         "cudacpu: warning: kernel bytes_are_left: block (0,0): the block ended with 1 byte still "
         "expected at the mbarrier initialised at {mbarrier.init}\nno error\n"},
        {"unannounced_bytes_left", 0,
         "cudacpu: warning: kernel bytes_are_left: block (0,0): the block ended with 100 bytes "
         "arrived that no expect_tx announced at the mbarrier initialised at {mbarrier.init}\nno "
         "error\n"},
        {"grid_of_3", 1,
         "cudacpu: a kernel launch error has occurred due to cluster misconfiguration: kernel "
         "in_cluster: clusters of (2,1,1) blocks in a grid of (3,1,1); 8 blocks are the most, and "
         "the grid must be a multiple, at {in_cluster<<<3, 32>>>}\n"
         "a kernel launch error has occurred due to cluster misconfiguration\n"},
        {"large_cluster", 1,
         "cudacpu: a kernel launch error has occurred due to cluster misconfiguration: kernel "
         "large_cluster: clusters of (16,1,1) blocks in a grid of (16,1,1); 8 blocks are the most, "
         "and the grid must be a multiple, at {large_cluster<<<16, 32>>>}\n"
         "a kernel launch error has occurred due to cluster misconfiguration\n"},
    };
    for (int i = 0; i < COUNT_OF(OTHERS); i++)
        check_fault("cudacpu/tests/faults/waits.cu", "waits", OTHERS[i].name, OTHERS[i].status,
                    OTHERS[i].sentence);
}
END_TEST

/* A loop that looks in vain while the program is stopped, as by Ctrl-Z, is no deadlock. */
START_TEST(test_stopped) {
    outcome o = run_command("{ " BUILD "/cudacpu/tests/faults/waits counts_down & sleep 0.3; "
                            "kill -STOP $! && sleep 11; kill -CONT $! && wait $!; }");
    ck_assert_msg(o.status == 0 && strcmp(o.err, "no error\n") == 0, "status %d, '%s'", o.status,
                  o.err);
}
END_TEST

START_TEST(test_refused) {
    const char *problem = check_refused(_i);
    ck_assert_msg(problem == NULL, "%s", problem);
}
END_TEST

void add_faults(Suite *suite) {
    tcase_add_loop_test(add_part(suite, "faults", 60), test_fault, 0, COUNT_OF(FAULTS));
    TCase *waits = add_part(suite, "waits", 60);
    tcase_add_loop_test(waits, test_wait, 0, COUNT_OF(WAITS));
    tcase_add_test(waits, test_other_wait);
    tcase_add_test(waits, test_stopped);
    tcase_add_loop_test(add_part(suite, "refused", 60), test_refused, 0, count_refused());
}
