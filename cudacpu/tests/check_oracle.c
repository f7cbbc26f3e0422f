/* check_oracle.c - clang, which reads CUDA itself, as an oracle of cpucc: to it, too, the suite's
 * programs are CUDA, and it refuses what cpucc refuses. What the two see differently stands here,
 * with the reason. */
#define _POSIX_C_SOURCE 200809L
#include "command.h"
#include "cudacpu_parts.h"
#include "refused.h"
#include <glob.h>
#include <stdio.h>
#include <string.h>

#define FOLDER BUILD "/cudacpu/tests/oracle"
#define MADE "${CUDACPU_CACHE:-build/cudacpu}/headers" /* by cpucc, of more/headers */
#define CLANG                                                                                      \
    "clang++ -x cuda --cuda-host-only -nocudainc -nocudalib -std=gnu++17 -w -ferror-limit=3 "      \
    "-Xclang -fcuda-allow-variadic-functions -Icudacpu/include -Icudacpu/more/include "            \
    "-Icudacpu/tests -Itests -Icudacpu/inspect/tests -I" MADE "/instead -idirafter " MADE          \
    "/missing "

typedef struct difference {
    const char *what, *reason;
} difference;

/* Files that nvcc takes, and clang does not. */
static const difference CLANG_REFUSES[] = {
    {"/features_launch.cu", "a launch with braces for its dim3: <<<{1}, {2}>>>"},
    {"/features_memory.cu", "extern __shared__ with the name of the function that it is in"},
    {"/launches.cu", "alignas after __shared__"},
    {"/shared_objects.cu", "alignas after __shared__"},
    {"/order_faults.cu", "alignas after __shared__"},
    {"/cub.cu", "headers of the distribution, made for nvcc"},
    {"/cuda_std.cu", "headers of the distribution, made for nvcc"},
};

/* Parts of the programs that cpucc refuses, and clang does not. */
static const difference CPUCC_REFUSES[] = {
    {"asm", "PTX: clang leaves it to ptxas"},
    {"b[4097]", "static shared memory: clang leaves it to ptxas"},
    {"k<12289>", "static shared memory: clang leaves it to ptxas"},
    {"if (p) { k<<<1,\n1>>>(p); }", "a kernel that launches a kernel: that needs a GPU"},
    {"gr\u00f6\u00dfe", "a name with such letters: nvcc refuses it"},
    {"object[0]<<<", "an object with operator() before <<<: no kernel"},
};

static int is_among(const char *text, const difference *all, int count) {
    for (int i = 0; i < count; i++)
        if (strstr(text, all[i].what))
            return 1;
    return 0;
}

static outcome ask_clang(const char *file) {
    char command[800];
    snprintf(command, sizeof command,
             CLANG "-fsyntax-only -include-pch " FOLDER "/prelude.pch %s </dev/null", file);
    return run_command(command);
}

static void make_prelude(void) {
    const outcome o =
        run_command("mkdir -p " FOLDER " && " CLANG
                    "-Xclang -emit-pch -c cudacpu/tests/clang_prelude.h -o " FOLDER "/prelude.pch");
    if (o.status != 0)
        fprintf(stderr, "clang_prelude.h: %s", o.err);
}

/* Files of the suite, and refused programs, that are judged. */
static glob_t files;
static int judged[500], judged_count;

static void find_programs(void) {
    static const char *const patterns[] = {"cudacpu/tests/*.cu", "cudacpu/tests/*/*.cu",
                                           "cudacpu/inspect/tests/*.cu", "cudacpu/more/tests/*.cu",
                                           "cudacpu/more/tests/*/*.cu"};
    for (int i = 0; i < COUNT_OF(patterns); i++)
        glob(patterns[i], i ? GLOB_APPEND : 0, NULL, &files);
    for (int i = 0; i < count_refused() && judged_count < COUNT_OF(judged); i++) {
        const refused_program *program = find_refused(i);
        /* what CUDA's names are clang knows from cudacpu's headers alone */
        if (*program->source && !strstr(program->sentence, "cudacpu does not provide") &&
            !is_among(program->source, CPUCC_REFUSES, COUNT_OF(CPUCC_REFUSES)))
            judged[judged_count++] = i;
    }
}

START_TEST(test_accepted) {
    const char *file = files.gl_pathv[_i];
    if (is_among(file, CLANG_REFUSES, COUNT_OF(CLANG_REFUSES)))
        return;
    const outcome o = ask_clang(file);
    ck_assert_msg(o.status == 0, "clang does not take %s, which cpucc takes: %s", file, o.err);
}
END_TEST

START_TEST(test_refused) {
    const refused_program *program = find_refused(judged[_i]);
    char name[200];
    snprintf(name, sizeof name, FOLDER "/refused.%d.cu", _i);
    FILE *file = fopen(name, "w");
    ck_assert_msg(file && fputs(program->source, file) >= 0 && fclose(file) == 0, "%s", name);
    ck_assert_msg(ask_clang(name).status != 0,
                  "clang takes '%s', which cpucc refuses: '%s'; a fault of cpucc's, or there is a "
                  "reason for CPUCC_REFUSES",
                  program->source, program->sentence);
}
END_TEST

void add_oracle(Suite *suite) {
    if (!is_asked_for("oracle"))
        return;
    if (run_command("command -v clang++").status != 0) {
        skip("oracle", "there is no clang++");
        return;
    }
    find_programs();
    TCase *part = add_part(suite, "oracle", 60);
    tcase_add_unchecked_fixture(part, make_prelude, NULL);
    tcase_add_loop_test(part, test_accepted, 0, (int)files.gl_pathc);
    tcase_add_loop_test(part, test_refused, 0, judged_count);
}
