/* check_libraries.c - programs that use cuRAND, the driver API, cuBLAS, Thrust, CUB and cuda::std;
 * all but the first two need a CBLAS or a package of the distribution; and what is said where these
 * are missing. */
#define _POSIX_C_SOURCE 200809L
#include "command.h"
#include "suite.h"
#include <stdio.h>
#include <string.h>

#define CUBLAS BUILD "/tests/cublas_program"
#define CUB BUILD "/tests/cub_program"
#define CUDA_STD BUILD "/tests/cuda_std_program"
#define DRIVER BUILD "/tests/driver_program"
#define CURAND BUILD "/tests/curand_program"
#define THRUST BUILD "/tests/thrust_program"

static const char *const MODES[] = {"early", "late", "random"};

static void check_program(const char *compile, const char *program) {
    char command[300];
    outcome o = run_command(compile);
    ck_assert_msg(o.status == 0, "%s: status %d, '%s'", compile, o.status, o.err);
    for (int mode = 0; mode < COUNT_OF(MODES); mode++) {
        snprintf(command, sizeof command, "CUDACPU_ASYNC=%s %s", MODES[mode], program);
        o = run_command(command);
        ck_assert_msg(o.status == 0 && !*o.err && strcmp(o.out, "all is well\n") == 0,
                      "%s: status %d, '%s', '%s'", command, o.status, o.out, o.err);
    }
}

START_TEST(test_cublas) {
    check_program("cudacpu/cpucc -O1 cudacpu/more/tests/libraries/cublas.cu -lcublas -o " CUBLAS,
                  CUBLAS);
}
END_TEST

START_TEST(test_thrust) {
    check_program("cudacpu/cpucc -O1 cudacpu/more/tests/libraries/thrust.cu -o " THRUST, THRUST);
}
END_TEST

START_TEST(test_cub) {
    check_program("cudacpu/cpucc -O1 cudacpu/more/tests/libraries/cub.cu -o " CUB, CUB);
}
END_TEST

START_TEST(test_cuda_std) {
    check_program("cudacpu/cpucc -O1 cudacpu/more/tests/libraries/cuda_std.cu -o " CUDA_STD,
                  CUDA_STD);
}
END_TEST

START_TEST(test_curand) {
    check_program("cudacpu/cpucc -O1 cudacpu/more/tests/libraries/curand.cu -lcurand -o " CURAND,
                  CURAND);
}
END_TEST

START_TEST(test_driver) {
    const char *compile = "cudacpu/cpucc -Wall -Wextra -Werror "
                          "cudacpu/more/tests/libraries/driver.cu -o " DRIVER;
    outcome o = run_command(compile);
    ck_assert_msg(o.status == 0 && !strstr(o.err, "warning"), "%s: status %d, '%s'", compile,
                  o.status, o.err);
    o = run_command(DRIVER);
    ck_assert_msg(o.status == 0 && !*o.err && strcmp(o.out, "ok\n") == 0,
                  "%s: status %d, '%s', '%s'", DRIVER, o.status, o.out, o.err);
}
END_TEST

/* One sentence each. Nothing is found by a linker that refuses its options. */
START_TEST(test_missing) {
    outcome o = run_command(
        "echo 'int main() {}' >" BUILD "/cudacpu/more/tests/missing.cu; cudacpu/cpucc "
        "-Wl,--no-such-option " BUILD "/cudacpu/more/tests/missing.cu -lcublas -o " CUBLAS);
    ck_assert_msg(o.status == 2 && strstr(o.err, "apt-get install libopenblas-dev"),
                  "status %d, '%s'", o.status, o.err);
    o = run_command("echo '#include <thrust/not_there.h>' >" BUILD
                    "/cudacpu/more/tests/missing.cu; "
                    "cudacpu/cpucc -c " BUILD "/cudacpu/more/tests/missing.cu -o " THRUST);
    ck_assert_msg(o.status != 0 && strstr(o.err, "apt-get install libthrust-dev"),
                  "status %d, '%s'", o.status, o.err);
    o = run_command("echo '#include <cub/not_there.cuh>' >" BUILD "/cudacpu/more/tests/missing.cu; "
                    "cudacpu/cpucc -c " BUILD "/cudacpu/more/tests/missing.cu -o " THRUST);
    ck_assert_msg(o.status != 0 && strstr(o.err, "apt-get install libcub-dev"), "status %d, '%s'",
                  o.status, o.err);
}
END_TEST

void add_parts(Suite *suite) {
    TCase *part = add_part(suite, "libraries", 300);
    tcase_add_test(part, test_missing);
    tcase_add_test(part, test_curand);
    tcase_add_test(part, test_driver);
    if (run_command("echo 'extern \"C\" void cblas_sgemm(); int main() { cblas_sgemm(); }' | "
                    "${CXX:-g++} -x c++ - -lopenblas -o " CUBLAS)
            .status == 0)
        tcase_add_test(part, test_cublas);
    else
        skip("cublas", "there is no CBLAS (apt-get install libopenblas-dev)");
    if (run_command("echo '#include <thrust/version.h>' | ${CXX:-g++} -E -x c++ - >/dev/null")
            .status == 0)
        tcase_add_test(part, test_thrust);
    else
        skip("thrust", "it is not installed (apt-get install libthrust-dev)");
    if (run_command("echo '#include <cub/version.cuh>' | ${CXX:-g++} -E -x c++ - >/dev/null")
            .status == 0)
        tcase_add_test(part, test_cub);
    else
        skip("cub", "it is not installed (apt-get install libcub-dev)");
    if (run_command("echo '#include <cuda/std/tuple>' | ${CXX:-g++} -E -x c++ - >/dev/null")
            .status == 0)
        tcase_add_test(part, test_cuda_std);
    else
        skip("cuda_std", "it is not installed (apt-get install libcu++-dev)");
}
