/* check_programs.c - programs as people write them, compiled by cpucc with its default flags; and
 * cpucc with nvcc's flags. docs/tools/covered.py makes a table of them. */
#include "command.h"
#include "cudacpu_parts.h"
#include <stdio.h>
#include <string.h>

#define FOLDER BUILD "/cudacpu/tests/programs"

/* What is said where lanes of a warp speak without __syncwarp(). */
#define MISSING(line)                                                                              \
    "cudacpu/tests/programs/warp_synchronous.cu:" #line                                            \
    ": same warp: __syncwarp() is missing before this store;"

#define ENDED                                                                                      \
    "kernel subtract: lane 7 at cudacpu/tests/programs/ended_lanes.cu:15 shuffles from lane 8 of " \
    "its "                                                                                         \
    "warp, which has ended"

static const struct {
    const char *name, *flags, *environment, *out, *err;
} PROGRAMS[] = {
    {"names", "-Wall -Wextra -Werror", "", "ok\n", ""},
    {"launches", "-Wall -Wextra -Werror", "", "ok\n", ""},
    {"launched", "-Wall -Wextra -Werror", "", "ok\n", ""},
    {"launched", "-O2", "CUDACPU_ASYNC=late", "ok\n", ""},
    {"launched", "--inspect", "", "", ""},
    {"stencil", "-Wall -Wextra -Werror", "", "stencil: 0 of 1000 wrong\n", ""},
    {"histogram", "-Wall -Wextra -Werror", "", "histogram: 0 of 64 wrong\n", ""},
    {"reduction", "-Wall -Wextra -Werror", "", "reduction: 9985, expected 9985\n", ""},
    {"half_tiles", "-Wall -Wextra -Werror", "", "half tiles: 0 of 128 wrong\n", ""},
    {"half_tiles", "--inspect", "", "", ""},
    {"large", "-Wall -Wextra -Werror", "", "large: 0 of 9 wrong\n", ""},
    {"large", "--inspect", "", "", ""},
    {"shared_objects", "-Wall -Wextra -Werror", "", "shared objects: 0 of 96 wrong\n", ""},
    {"shared_objects", "--inspect", "", "", ""},
    {"launches", "-O3", "CUDACPU_ASYNC=late", "ok\n", ""},
    {"launches", "--inspect", "", "", ""},
    {"polling", "-Wall -Wextra -Werror", "", "ok\n", ""},
    {"polling", "-O2", "CUDACPU_PROCESSORS=1", "ok\n", ""},
    {"polling", "--inspect", "", "", ""},
    {"warp_synchronous", "-O2", "CUDACPU_WARP=lockstep", "ok\n", ""},
    {"warp_synchronous", "-O2", "", "", MISSING(10)},
    {"warp_synchronous", "-O2", "", "", MISSING(54)},
    {"static_shared", "-s -Wall -Wextra -Werror", "", "40960 4240 400 160 0, 1 1\n", ""},
    {"ended_lanes", "-O2", "", "0 wrong\n", ENDED},
    {"ended_lanes", "--inspect", "", "", ENDED},
    {"fill", "-O2", "CUDACPU_FILL=nan", "0 errors\n", ""},
    {"fill", "-O2", "CUDACPU_FILL=large", "1 errors\n", ""},
    {"names",
     "-std c++17 -t 4 -rdc true -arch sm_86 --default-stream legacy -Xcudafe "
     "--diag_suppress=177 --diag-suppress 177 -res-usage -Xcompiler '-Wall -Wextra' -lcuda "
     "-Xlinker -rpath,/nowhere",
     "", "ok\n", ""},
};

START_TEST(test_program) {
    char command[900];
    snprintf(command, sizeof command,
             "mkdir -p " FOLDER " && cudacpu/cpucc cudacpu/tests/programs/%s.cu %s -o " FOLDER
             "/%d && %s " FOLDER "/%d",
             PROGRAMS[_i].name, PROGRAMS[_i].flags, _i, PROGRAMS[_i].environment, _i);
    const outcome o = run_command(command);
    ck_assert_msg(o.status == 0, "%s: status %d, '%s%s'", command, o.status, o.out, o.err);
    ck_assert_msg(!*PROGRAMS[_i].out || strcmp(o.out, PROGRAMS[_i].out) == 0, "%s: '%s'", command,
                  o.out);
    ck_assert_msg(*PROGRAMS[_i].err ? strstr(o.err, PROGRAMS[_i].err) != NULL : !*o.err, "%s: '%s'",
                  command, o.err);
    ck_assert_msg(!strstr(o.err, "kernel synchronised"), "%s", o.err);
}
END_TEST

/* How a program of one source ends, observed or not, and what is said. */
static const struct {
    const char *flags, *arguments;
    int status; /* 255: by a signal */
    const char *said;
} ENDS[] = {
    {"--inspect", "abort", 255,
     "fault: global race: cudacpu/tests/programs/ends.cu:16: kernel add"},
    {"--inspect", "assert", 255,
     "fault: global race: cudacpu/tests/programs/ends.cu:16: kernel add"},
    {"--inspect", "quick_exit", 0,
     "fault: global race: cudacpu/tests/programs/ends.cu:16: kernel add"},
    {"--inspect", "--seconds 2 long", 1, "Stopped by --seconds"},
    {"--inspect", "--seconds 0", 2, "inspect: --seconds '0': it is a number from 1 to 86400"},
    {"--inspect", "unasked", 0,
     "the call at cudacpu/tests/programs/ends.cu:37 failed: invalid copy"},
    {"--inspect", "heap", 1, "the signal came while the program held a lock"},
    {"--inspect", "host", 1, "fault: host variable: cudacpu/tests/programs/ends.cu:16: kernel add"},
    {"-O2", "null", 1,
     "ends.cu:47: none[0]<<<...>>> launches a null pointer: it holds no kernel's address"},
    {"-O2", "call", 1,
     "kernel add (cudacpu/tests/programs/ends.cu:14) is called like a function: a kernel must be"},
    {"-O2", "function", 0, "ends.cu:53: function<<<...>>> launches a function that is no kernel"},
    {"-O2", "unasked", 0,
     "the call at cudacpu/tests/programs/ends.cu:37 failed: invalid copy direction for memcpy "
     "(cudaErrorInvalidMemcpyDirection); the program did not ask for the error"},
};

START_TEST(test_end) {
    char command[900];
    snprintf(command, sizeof command,
             "mkdir -p " FOLDER " && cudacpu/cpucc %s cudacpu/tests/programs/ends.cu -o " FOLDER
             "/ends%s && exec timeout 100 " FOLDER "/ends%s %s",
             ENDS[_i].flags, ENDS[_i].flags, ENDS[_i].flags, ENDS[_i].arguments);
    const outcome o = run_command(command);
    ck_assert_msg(strstr(o.out, ENDS[_i].said) || strstr(o.err, ENDS[_i].said), "%s: '%s%s'",
                  command, o.out, o.err);
    ck_assert_msg(o.status == ENDS[_i].status || (ENDS[_i].status == 255 && o.status > 127),
                  "%s: status %d", command, o.status);
}
END_TEST

/* A launch that takes long says how far it is, on a terminal. */
START_TEST(test_progress) {
    const outcome o = run_command("mkdir -p " FOLDER
                                  " && cudacpu/cpucc -O2 cudacpu/tests/programs/ends.cu -o " FOLDER
                                  "/rests && script -qec '" FOLDER "/rests rest' /dev/null");
    ck_assert_msg(strstr(o.out, "cudacpu: kernel rest: 0 of 1 blocks are done"), "'%s%s'", o.out,
                  o.err);
    ck_assert_int_eq(o.status, 0);
}
END_TEST

/* cpucc where a compiler is asked for less than a program, and the files that it leaves. */
static const struct {
    const char *flags;
    int status;
    const char *files, *said;
} MODES[] = {
    {"-fsyntax-only a.cu b.cpp", 0, "a.cu a.h b.cpp ", ""},
    {"-fsyntax-only -DWRONG=1 a.cu", 1, "a.cu a.h b.cpp ", "a.cu:4:"},
    {"-fsyntax-only -DA=1 -DB=1 -DF=1 -DG=1 -DI=1 -DP=1 -DR=1 -DT=1 a.cu", 0, "a.cu a.h b.cpp ",
     ""},
    {"-S a.cu b.cpp", 0, "a.cu a.h a.s b.cpp b.s ", ""},
    {"-S a.cu -o x.s", 0, "a.cu a.h b.cpp x.s ", ""},
    {"-E b.cpp", 0, "a.cu a.h b.cpp ", "int f() { return 1; }"},
    {"-MM b.cpp", 0, "a.cu a.h b.cpp ", "b.o: b.cpp a.h"},
    {"-M a.cu -o d", 0, "a.cu a.h b.cpp d ", ""},
    {"-MD -c a.cu b.cpp && tail -n 1 a.d", 0, "a.cu a.d a.h a.o b.cpp b.d b.o ", "a.h"},
    {"-MMD -MP -c a.cu -o x.o && head -n 1 x.d", 0, "a.cu a.h b.cpp x.d x.o ", "x.o: a.cu"},
    {"-MMD a.cu b.cpp -o x && tail -n 1 a.d b.d", 0, "a.cu a.d a.h b.cpp b.d x ", "a.h"},
    {"--help >/dev/null; CXX=no_such_compiler $CPUCC -c a.cu", 2, "a.cu a.h b.cpp ",
     "cpucc: no_such_compiler: there is no such compiler here (CXX=no_such_compiler)\n"},
    {"--version", 0, "a.cu a.h b.cpp ", "release 13.0"},
    {"--help", 0, "a.cu a.h b.cpp ", "cpucc - compiles and links CUDA programs"},
};

START_TEST(test_mode) {
    char command[1500];
    const char *set_up =
        "rm -rf " FOLDER "/modes && mkdir -p " FOLDER
        "/modes && CPUCC=$PWD/cudacpu/cpucc && cd " FOLDER "/modes && echo 'extern int n;' >a.h && "
        "printf '#include \"a.h\"\\n__global__ void k() {}\\n#ifdef WRONG\\nint n = ;\\n#endif"
        "\\nint main() { k<<<1, 1>>>(); }\\n' >a.cu && "
        "printf '#include \"a.h\"\\nint f() { return 1; }\\n' >b.cpp";
    snprintf(command, sizeof command, "(%s; $CPUCC %s)", set_up, MODES[_i].flags);
    outcome o = run_command(command);
    ck_assert_msg(o.status == MODES[_i].status &&
                      (strstr(o.out, MODES[_i].said) || strstr(o.err, MODES[_i].said)),
                  "%s: status %d, '%s%s'", MODES[_i].flags, o.status, o.out, o.err);
    o = run_command("ls " FOLDER "/modes | tr '\\n' ' '");
    ck_assert_msg(strcmp(o.out, MODES[_i].files) == 0, "%s: '%s'", MODES[_i].flags, o.out);
}
END_TEST

/* Programs of three files and of one, CUDA as a language; CXX is cpucc, which must not call itself.
 */
START_TEST(test_cmake) {
    const outcome o =
        run_command("(rm -rf " FOLDER "/cmake; export CXX=$PWD/cudacpu/cpucc; "
                    "{ cmake -S cudacpu/tests/cmake -B " FOLDER "/cmake "
                    "-DCMAKE_TOOLCHAIN_FILE=$PWD/cudacpu/cmake/toolchain.cmake && "
                    "cmake --build " FOLDER "/cmake; } >" FOLDER "/cmake.log 2>&1 && " FOLDER
                    "/cmake/three && " FOLDER "/cmake/alone)");
    ck_assert_msg(o.status == 0 && strcmp(o.out, "62\n62\n") == 0, "status %d, '%s%s', see %s",
                  o.status, o.out, o.err, FOLDER "/cmake.log");
}
END_TEST

/* A shared library has a runtime of its own, beside the program's. */
START_TEST(test_shared_library) {
    outcome o = run_command(
        "mkdir -p " FOLDER
        " && cudacpu/cpucc -shared -Xcompiler -fPIC cudacpu/tests/programs/library.cu "
        "-o " FOLDER "/library.so && cudacpu/cpucc cudacpu/tests/programs/uses_library.cu " FOLDER
        "/library.so -o " FOLDER "/uses_library && " FOLDER "/uses_library");
    ck_assert_msg(o.status == 0 && !*o.err && strcmp(o.out, "library: 0 of 96 wrong\n") == 0,
                  "status %d, '%s%s'", o.status, o.out, o.err);
    o = run_command(FOLDER "/uses_library fault");
    ck_assert_msg(o.status != 0 &&
                      strstr(o.err, "address 0), at cudacpu/tests/programs/library.cu:12\n"),
                  "status %d, '%s%s'", o.status, o.out, o.err);
    o = run_command("cudacpu/cpucc --inspect --shared cudacpu/tests/programs/library.cu -o " FOLDER
                    "/library.so");
    ck_assert_msg(o.status == 2 && strstr(o.err, "cpucc: --inspect observes programs"),
                  "status %d, '%s%s'", o.status, o.out, o.err);
}
END_TEST

/* What is compiled with a warning, and how: once a place, and not what is right. */
START_TEST(test_warnings) {
    static const char *const said[] = {
        "warnings.cu:8: warning: __CUDA_ARCH__ in a __host__ __device__ function",
        "warnings.cu:17: warning: __CUDA_ARCH__ in a __host__ __device__ function",
        "warnings.cu:34: warning: sum is added to, but nothing sets it first",
        "warnings.cu:35: warning: four is added to, but nothing sets it first",
        "-Warray-bounds]",
        NULL};
    const outcome o = run_command(
        "mkdir -p " FOLDER " && cudacpu/cpucc -c cudacpu/tests/programs/warnings.cu -o " FOLDER
        "/warnings.o");
    int count = 0;
    for (const char *at = o.err; (at = strstr(at, ": warning: ")); at++)
        count++;
    for (int i = 0; said[i]; i++)
        ck_assert_msg(strstr(o.err, said[i]) != NULL, "%s: '%s'", said[i], o.err);
    ck_assert_msg(o.status == 0 && !strstr(o.err, "right"), "status %d, '%s'", o.status, o.err);
    ck_assert_int_ge(count, 5);
}
END_TEST

/* No pass takes time with the square of the functions: 2000 took minutes when one did. */
START_TEST(test_many_functions) {
    const outcome o = run_command(
        "mkdir -p " FOLDER " && for i in $(seq 2000); do echo \"static __device__ int f$i(int a) { "
        "int r, own[4], *p = own; asm(\\\"abs.s32 %0, %1;\\\" : \\\"=r\\\"(r) : "
        "\\\"r\\\"(a)); *p = r; return own[0]; } __global__ void k$i(volatile int *p) { again: "
        "while (!*p); *p += f$i(*p); if (*p) goto again; } void g$i() { k$i<<<1, 1>>>(0); }\"; "
        "done >" FOLDER "/many.cu && timeout 20 cudacpu/cpucc --inspect -E " FOLDER "/many.cu");
    ck_assert_msg(o.status == 0, "status %d, '%s'", o.status, o.err);
}
END_TEST

/* Each file of a program has its own default stream. */
START_TEST(test_default_streams) {
    const outcome o = run_command(
        "mkdir -p " FOLDER " && cudacpu/cpucc --default-stream per-thread -DPART -c "
        "cudacpu/tests/programs/default_streams.cu -o " FOLDER "/part.o && cudacpu/cpucc "
        "cudacpu/tests/programs/default_streams.cu " FOLDER "/part.o -o " FOLDER
        "/default_streams && CUDACPU_ASYNC=late " FOLDER "/default_streams");
    ck_assert_msg(o.status == 0 && !*o.err && strcmp(o.out, "7 0 7\n") == 0, "status %d, '%s%s'",
                  o.status, o.out, o.err);
}
END_TEST

/* What they print is compared with the hashes of an H200. */
START_TEST(test_ptx) {
    const outcome o = run_command("cudacpu/tests/ptx/check.sh half cluster_dims");
    ck_assert_msg(o.status == 0, "status %d, '%s%s'", o.status, o.out, o.err);
}
END_TEST

void add_programs(Suite *suite) {
    TCase *part = add_part(suite, "programs", 300);
    tcase_add_loop_test(part, test_program, 0, COUNT_OF(PROGRAMS));
    tcase_add_loop_test(part, test_end, 0, COUNT_OF(ENDS));
    tcase_add_loop_test(part, test_mode, 0, COUNT_OF(MODES));
    tcase_add_test(part, test_ptx);
    tcase_add_test(part, test_default_streams);
    tcase_add_test(part, test_warnings);
    tcase_add_test(part, test_many_functions);
    tcase_add_test(part, test_shared_library);
    if (run_command("command -v script").status == 0)
        tcase_add_test(part, test_progress);
    else if (is_asked_for("programs"))
        skip("progress", "there is no script, which makes a terminal");
    if (run_command("command -v cmake").status == 0)
        tcase_add_test(part, test_cmake);
    else if (is_asked_for("programs"))
        skip("cmake", "there is no cmake");
}
