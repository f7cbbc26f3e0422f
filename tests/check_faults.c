/* check_faults.c - the CPU backend on wrong programs: what it says of their faults, and what its
 * compiler refuses. */
#include "command.h"
#include "refused.h"
#include "suite.h"
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
     "cudacpu: kernel fill: block (0,0) thread (1,0) wrote 1 bytes past a 1-byte allocation, at "
     "{p[INDEX] = 1}\n"},
    {"write_past 2", 1,
     "cudacpu: kernel fill: block (0,0) thread (2,0) wrote 1 bytes past a 2-byte allocation, at "
     "{p[INDEX] = 1}\n"},
    {"write_past 3", 1,
     "cudacpu: kernel fill: block (0,0) thread (3,0) wrote 1 bytes past a 3-byte allocation, at "
     "{p[INDEX] = 1}\n"},
    {"write_past 255", 1,
     "cudacpu: kernel fill: block (3,0) thread (63,0) wrote 1 bytes past a 255-byte allocation, at "
     "{p[INDEX] = 1}\n"},
    {"write_past 256", 1,
     "cudacpu: kernel fill: block (4,0) thread (0,0) wrote 1 bytes past a 256-byte allocation, at "
     "{p[INDEX] = 1}\n"},
    {"write_past 257", 1,
     "cudacpu: kernel fill: block (4,0) thread (1,0) wrote 1 bytes past a 257-byte allocation, at "
     "{p[INDEX] = 1}\n"},
    {"write_past 4096", 1,
     "cudacpu: kernel fill: block (64,0) thread (0,0) wrote 1 bytes past a 4096-byte allocation, "
     "at {p[INDEX] = 1}\n"},
    {"write_before 1", 1,
     "cudacpu: kernel fill_before: block (0,0) thread (0,0) wrote 1 bytes before a 1-byte "
     "allocation, at {p[(int)INDEX - 1]}\n"},
    {"write_before 255", 1,
     "cudacpu: kernel fill_before: block (0,0) thread (0,0) wrote 1 bytes before a 255-byte "
     "allocation, at {p[(int)INDEX - 1]}\n"},
    {"write_before 256", 1,
     "cudacpu: kernel fill_before: block (0,0) thread (0,0) wrote 1 bytes before a 256-byte "
     "allocation, at {p[(int)INDEX - 1]}\n"},
    {"write_before 4096", 1,
     "cudacpu: kernel fill_before: block (0,0) thread (0,0) wrote 1 bytes before a 4096-byte "
     "allocation, at {p[(int)INDEX - 1]}\n"},
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
     "freed, at {void write_at}\n"},
    {"double_free", 1, "invalid argument\n"},
    {"host_write", 1,
     "cudacpu: host code used a device pointer (it wrote in a 4000-byte allocation), at {q[3] = "
     "1}; cudaMemcpy copies between host and device\n"},
    {"host_read", 1,
     "cudacpu: host code used a device pointer (it read in a 4000-byte allocation), at {q[3])}; "
     "cudaMemcpy copies between host and device\n"},
    {"host_memcpy", 1,
     "cudacpu: host code used a device pointer (it wrote in a 4000-byte allocation), at "
     "{memcpy(p}; cudaMemcpy copies between host and device\n"},
    {"host_after_free", 1,
     "cudacpu: host code used a device pointer (it wrote in a 4000-byte allocation that was "
     "freed), at {q[0] = 1}; cudaMemcpy copies between host and device\n"},
    {"device_pointer_to_host", 0,
     "cudacpu: warning: argument 1 of kernel write_at points to host memory; a GPU could not "
     "follow it (cudaMalloc and cudaMemcpy make a copy that it can)\nno error\n"},
    {"barriers", 1,
     "cudacpu: kernel differ: block (0,0): its threads wait at different barriers: thread (0,0) "
     "and 3 more at {of four}; thread (4,0) and 27 more at {of the others}\nunspecified launch "
     "failure\n"},
    {"early", 0,
     "cudacpu: warning: kernel leave_early: block (0,0): the barrier at {__syncthreads(); /* all "
     "but one */} opened after thread (9,1) had ended without reaching it\nno error\n"},
    {"stack", 1,
     "cudacpu: kernel recurse: block (0,0) thread (0,0) used more than its 64 KB of stack, at "
     "tests/faults/faults.cu:"},
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

/* Writes the sentence to out with files and lines filled in. */
static void fill_lines(const char *sentence, char *out, size_t size) {
    static char source[20000];
    read_text("tests/faults/faults.cu", source, sizeof source);
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
        ck_assert_msg(found != NULL, "there is no '%s' in faults.cu", text);
        int line = 1;
        for (const char *at = source; at < found; at++)
            line += *at == '\n';
        used += (size_t)snprintf(out + used, size - used, "tests/faults/faults.cu:%d", line);
        sentence += length + 1;
    }
    out[used] = 0;
}

START_TEST(test_fault) {
    char command[200], expected[1000];
    snprintf(command, sizeof command, BUILD "/tests/faults/run %s", FAULTS[_i].arguments);
    fill_lines(FAULTS[_i].sentence, expected, sizeof expected);
    outcome o = run_command(command);
    const size_t length = strlen(expected),
                 compared = expected[length - 1] == '\n' ? length + 1 : length;
    ck_assert_msg(o.status == FAULTS[_i].status && strncmp(o.err, expected, compared) == 0,
                  "%s: status %d, '%s', not '%s'", command, o.status, o.err, expected);
}
END_TEST

START_TEST(test_refused) {
    const char *problem = check_refused(_i);
    ck_assert_msg(problem == NULL, "%s", problem);
}
END_TEST

void add_faults(Suite *suite) {
    tcase_add_loop_test(add_part(suite, "faults", 60), test_fault, 0, COUNT_OF(FAULTS));
    tcase_add_loop_test(add_part(suite, "refused", 60), test_refused, 0, count_refused());
}
