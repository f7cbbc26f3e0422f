/* check_inspect.c - inspect: every planted fault is found on its line and its twin is clean; the
 * counts of the steps are those that ncu read from an H200, and those of the article's formulas;
 * the steps have no fault. */
#define _POSIX_C_SOURCE 200809L
#include "all_steps.h"
#include "command.h"
#include "inspect_parts.h"
#include "planted_faults.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAULTS_SOURCE "cudacpu/inspect/tests/faults.cu"
#define FAULTS_PROGRAM OBSERVED "/cudacpu/inspect/tests/faults"
#define KERNELS_PROGRAM OBSERVED "/cudacpu/inspect/tests/kernels"
#define COUNTS "docs/results/inspect_ncu.csv"

/* Runs a command with `--json`; returns its status and, in json, what it wrote there. The caller
 * frees json. */
static int inspected(const char *command, char **json) {
    char path[100], line[500];
    snprintf(path, sizeof path, BUILD "/tests/report.%d", (int)getpid());
    snprintf(line, sizeof line, "%s --json %s >/dev/null 2>&1", command, path);
    int status = system(line);
    FILE *file = fopen(path, "r");
    *json = calloc(1, 1 << 20);
    ck_assert_msg(file != NULL && *json != NULL, "%s: no report", line);
    ck_assert_msg(fread(*json, 1, (1 << 20) - 1, file) > 0, "%s: an empty report", line);
    fclose(file);
    unlink(path);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static int line_with(const char *path, const char *text) {
    char line[1000];
    int number = 0, found = 0;
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s cannot be read", path);
    while (!found && fgets(line, sizeof line, file)) {
        number++;
        found = strstr(line, text) != NULL;
    }
    fclose(file);
    ck_assert_msg(found, "%s has no line with '%s'", path, text);
    return number;
}

/* The fault of this name is on its line of the source, and its twin is clean. */
static void check_planted(const char *source, const char *program, const char *name,
                          const char *kind) {
    char command[300], comment[100], entry[300], *json;
    snprintf(comment, sizeof comment, "/* fault: %s */", name);
    snprintf(entry, sizeof entry, "{\"kind\": \"%s\", \"file\": \"%s\", \"line\": %d,", kind,
             source, line_with(source, comment));
    snprintf(command, sizeof command, "%s %s", program, name);
    int status = inspected(command, &json);
    ck_assert_msg(status == 1 && strstr(json, entry), "%s: status %d, no %s in %s", command, status,
                  entry, json);
    free(json);
    strcat(command, " twin");
    status = inspected(command, &json);
    ck_assert_msg(status == 0 && strstr(json, "\"faults\": []"), "%s: status %d, %s", command,
                  status, json);
    free(json);
}

START_TEST(test_planted) {
    check_planted(FAULTS_SOURCE, FAULTS_PROGRAM, EXPECTED[_i].name, EXPECTED[_i].kind);
}
END_TEST

START_TEST(test_planted_async) {
    static const char *const modes[] = {"late", "early", "random"};
    char source[100], program[100];
    snprintf(source, sizeof source, "cudacpu/inspect/tests/%s.cu", EXPECTED_ASYNC[_i].program);
    snprintf(program, sizeof program, OBSERVED "/cudacpu/inspect/tests/%s",
             EXPECTED_ASYNC[_i].program);
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        setenv("CUDACPU_ASYNC", modes[i], 1);
        check_planted(source, program, EXPECTED_ASYNC[_i].name, EXPECTED_ASYNC[_i].kind);
    }
}
END_TEST

/* Blocks run side by side, in any order: the lowest that makes a fault is reported. */
START_TEST(test_lowest_block) {
    for (int run = 0; run < 5; run++) {
        char *json;
        inspected(FAULTS_PROGRAM " late_first_block", &json);
        ck_assert_msg(strstr(json, "\"block\": \"(0,0)\"") != NULL, "run %d: %s", run, json);
        free(json);
    }
}
END_TEST

/* What is reported first is the cause. */
static const struct {
    const char *program, *name, *kind, *message;
} FIRST[] = {
    {"faults", "unchecked_and_unwritten", "unchecked launch error",
     "nobody asked cudaGetLastError()"},
    {"faults", "failed_call", "failed call",
     "invalid argument: cudaMemcpy (cudaMemcpyHostToDevice): 1024 bytes at dst, byte 4 of an "
     "allocation of 1024"},
    {"faults", "freed_argument", "freed while in use",
     "argument 1 points to memory that was freed"},
    {"faults", "host_array", "out of bounds",
     "nor shared memory: it is in a host array of 1024 bytes (allocated at "
     "cudacpu/inspect/tests/faults.cu:"},
    {"named_faults", "no_first_barrier", "shared race", "of tile_a\""},
    {"named_faults", "one_warp", "shared race", "both are of one warp: __syncwarp() is missing"},
    {"named_faults", "guard_off_by_one", "out of bounds",
     "; also wrote 1 byte past the 1024 bytes of out"},
    {"named_faults", "swapped_grid", "uninitialised read",
     "no thread of kernel swapped_grid writes it: block (1,0) would come next, and the grid has 1 "
     "x "
     "8 blocks"},
    {"named_faults", "overflowed_index", "out of bounds",
     "it is 2^32 elements of 4 bytes before byte 0 of out (1024 bytes): an index of 32 bits "
     "overflowed"},
    {"fence_faults", "last_block", "global race", "have no __threadfence() between them"},
    {"fence_faults", "overwritten", "global race", ": two blocks write the same word in any order"},
    {"fence_faults", "lost_update", "global race", ": two blocks write the same word in any order"},
    {"named_faults", "past_fragment", "out of bounds", "read 480 bytes past the 32 bytes of row"},
};

START_TEST(test_first) {
    char command[200], kind[100], *json;
    snprintf(command, sizeof command, OBSERVED "/cudacpu/inspect/tests/%s %s", FIRST[_i].program,
             FIRST[_i].name);
    snprintf(kind, sizeof kind, "{\"kind\": \"%s\"", FIRST[_i].kind);
    inspected(command, &json);
    const char *first = strstr(json, "\"faults\": ["), *at = strstr(json, FIRST[_i].message);
    ck_assert_msg(first && at && at < strchr(first, '}'), "%s: %s", command, json);
    ck_assert_msg(strstr(first, kind) && strstr(first, kind) < at, "%s: %s", command, json);
    free(json);
}
END_TEST

/* --html says that it wrote a page, which names the __shared__ variables and has the fault. */
START_TEST(test_page) {
    const char *page = BUILD "/tests/page.html";
    char command[200], said[200];
    snprintf(command, sizeof command,
             OBSERVED "/cudacpu/inspect/tests/named_faults no_first_barrier --html %s", page);
    snprintf(said, sizeof said, "The page is %s: open it in a browser.\n", page);
    outcome o = run_command(command);
    ck_assert_msg(o.status == 1 && strstr(o.out, said), "status %d, '%s'", o.status, o.out);
    snprintf(command, sizeof command, "grep -c '<td>store<td>tile_a<td>' %s && rm %s", page, page);
    o = run_command(command);
    ck_assert_msg(o.status == 0, "%s: '%s'", command, o.out);
}
END_TEST

/* What a kernel wrote and nobody reads is no fault, but noted. */
START_TEST(test_unread) {
    char note[200];
    snprintf(note, sizeof note,
             "note: cudacpu/inspect/tests/named_faults.cu:%d: y (256 bytes): kernel axpy wrote it "
             "last, and nobody has read it since or copied it\n",
             line_with("cudacpu/inspect/tests/named_faults.cu", "/* noted: unread */"));
    outcome o = run_command(OBSERVED "/cudacpu/inspect/tests/named_faults unread");
    ck_assert_msg(o.status == 0 && strstr(o.out, note), "status %d, no '%s' in '%s'", o.status,
                  note, o.out);
    o = run_command(OBSERVED "/cudacpu/inspect/tests/named_faults unread twin");
    ck_assert_msg(o.status == 0 && !strstr(o.out, "note: "), "status %d, '%s'", o.status, o.out);
}
END_TEST

/* The number after `name` in json, searched from `from`. */
static long long number_after(const char *json, const char *from, const char *name) {
    const char *at = strstr(json, from);
    at = at ? strstr(at, name) : NULL;
    ck_assert_msg(at != NULL, "no %s after %s in %s", name, from, json);
    return atoll(at + strlen(name));
}

/* One line of COUNTS: its step, n, "load" or "store", what was counted, and how much. */
typedef struct ncu_count {
    char step[100], way[20], count[20];
    int n;
    long long value;
} ncu_count;

/* The next count of a step from COUNTS, up to n = 333; 0 at the end. */
static int read_count(FILE *file, const char *step, ncu_count *next) {
    char line[300];
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%99[^,],%d,global %19s %19[^,],%lld", next->step, &next->n, next->way,
                   next->count, &next->value) == 5 &&
            strcmp(next->step, step) == 0 && next->n <= 333)
            return 1;
    return 0;
}

static int is_counted(const char *step) {
    ncu_count count;
    FILE *file = fopen(COUNTS, "r");
    const int counted = file && read_count(file, step, &count);
    if (file)
        fclose(file);
    return counted;
}

/* Every line of COUNTS up to n = 333: what inspect counts here is what ncu counted there. */
START_TEST(test_counts) {
    const char *step = all_steps[_i].facts->name;
    char command[200], from[40], field[40], *json = NULL;
    int inspected_n = 0, compared = 0;
    ncu_count theirs;
    FILE *file = fopen(COUNTS, "r");
    ck_assert_msg(file != NULL, COUNTS " cannot be read");
    while (read_count(file, step, &theirs)) {
        if (theirs.n != inspected_n) {
            free(json);
            snprintf(command, sizeof command, "%s/inspect -n %d", step, theirs.n);
            int status = inspected(command, &json);
            ck_assert_msg(status == 0 && strstr(json, "\"faults\": []"), "%s: status %d, %s",
                          command, status, json);
            inspected_n = theirs.n;
        }
        snprintf(from, sizeof from, "\"%s\": {", theirs.way);
        snprintf(field, sizeof field, "\"%s\": ", theirs.count);
        const long long ours = number_after(json, from, field);
        ck_assert_msg(ours == theirs.value, "%s, n = %d: %lld %s %s; ncu counted %lld", step,
                      theirs.n, ours, theirs.way, theirs.count, theirs.value);
        compared++;
    }
    fclose(file);
    free(json);
    ck_assert_msg(compared >= 8, "%d counts compared", compared);
}
END_TEST

/* Does nvcc read or store in another way than the source says? docs/notes/inspect.md */
static int differs_from_ncu(const char *step, const char *count) {
    const int number = atoi(step), with_bound = number >= 25,
              recomputes = with_bound && number < 35;
    return (recomputes && strncmp(count, "global load", strlen("global load")) == 0) ||
           (number == 13 && strcmp(count, "global load sectors") == 0) ||
           (with_bound && strcmp(count, "global store requests") == 0);
}

/* What ncu counted of a step, over all kernels, or inspect beside it where that differs; -1: no
 * line. */
enum { KERNEL_COUNTS_N = 512 };
static long long sum_kernels(const char *step, const char *count) {
    char line[500], name[100], counted[100];
    long long ncu, beside, sum = -1;
    int n;
    FILE *file = fopen("docs/results/inspect_ncu_kernels.csv", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%99[^,],%d,%*[^,],%99[^,],%*[^,],%lld,%lld", name, &n, counted, &ncu,
                   &beside) == 5 &&
            n == KERNEL_COUNTS_N && strcmp(counted, count) == 0 && strcmp(step, name) == 0)
            sum = (sum < 0 ? 0 : sum) + (differs_from_ncu(step, count) ? beside : ncu);
    if (file)
        fclose(file);
    return sum;
}

static const struct {
    const char *count, *from, *field;
} KERNEL_COUNTS[] = {
    {"global load requests", "\"global\": {\"load\": {", "\"requests\": "},
    {"global load sectors", "\"global\": {\"load\": {", "\"sectors\": "},
    {"global store requests", "\"store\": {", "\"requests\": "},
    {"global atomic requests", "\"atomic\": {", "\"requests\": "},
    {"bytes of bulk loads", "\"bulk\": {", "\"load_bytes\": "},
    {"bytes of wgmma operands", "\"bulk\": {", "\"operand_bytes\": "},
};

/* Whether a step with copies and products of its own counts other than the step before. */
static int counts_anew(const char *step, const char *before) {
    int differ = 0;
    for (int i = 0; i < COUNT_OF(KERNEL_COUNTS); i++)
        differ |= sum_kernels(step, KERNEL_COUNTS[i].count) !=
                  (before ? sum_kernels(before, KERNEL_COUNTS[i].count) : -1);
    return differ && sum_kernels(step, KERNEL_COUNTS[0].count) >= 0;
}

/* Each of these, on as many SMs as an H200 has. */
START_TEST(test_kernel_counts) {
    const char *step = all_steps[_i].facts->name;
    char command[200], *json;
    snprintf(command, sizeof command, "CUDACPU_MULTIPROCESSORS=132 %s/inspect -n %d", step,
             KERNEL_COUNTS_N);
    const int status = inspected(command, &json);
    ck_assert_msg(status == 0 && strstr(json, "\"sampled\": false"), "%s: status %d, %s", command,
                  status, json);
    for (int i = 0; i < COUNT_OF(KERNEL_COUNTS); i++) {
        const long long theirs = sum_kernels(step, KERNEL_COUNTS[i].count),
                        ours = number_after(json, KERNEL_COUNTS[i].from, KERNEL_COUNTS[i].field);
        ck_assert_msg(ours == (theirs < 0 ? 0 : theirs), "%s: %lld %s; ncu counted %lld", command,
                      ours, KERNEL_COUNTS[i].count, theirs);
    }
    free(json);
}
END_TEST

/* The words that are loaded are those of the article's formula, where n is a multiple of the tile.
 * Where each operand is loaded once a tile (2 n^3 / tile), a thread sums its products from shared
 * memory, between two barriers a tile. */
enum { WORDS_N = 64 };
START_TEST(test_words) {
    const step_facts *facts = all_steps[_i].facts;
    const double n = WORDS_N, tiles = n / facts->tile;
    char command[200], *json;
    snprintf(command, sizeof command, "%s/inspect -n %d", facts->name, WORDS_N);
    ck_assert_int_eq(inspected(command, &json), 0);
    ck_assert_int_eq(number_after(json, "\"load\": {", "\"words\": "),
                     facts->loads_n3 * n * n * n + facts->loads_n2 * n * n);
    if (facts->tile <= USUAL_TILE && facts->loads_n3 * facts->tile == 2) {
        ck_assert_int_eq(number_after(json, "\"shared\": {", "\"words\": "), 2 * n * n * n);
        ck_assert_int_eq(number_after(json, "\"shared\": {", "\"conflicts\": "), 0);
        ck_assert_int_eq(number_after(json, "\"shared\"", "\"barriers\": "),
                         2 * tiles * tiles * tiles);
    }
    free(json);
}
END_TEST

/* A program of one's own, with several kernels: counts that can be worked out by hand, each in its
 * kernel's part. */
static const struct {
    const char *kernel, *way, *count;
    int value;
} KERNELS[] = {
    {"transpose<32>", "\"shared\": {\"load\": {", "\"conflicts\": ", 32 * 31},
    {"transpose<32>", "\"shared\": {\"load\": {", "\"wavefronts\": ", 32 * 32},
    {"transpose<33>", "\"shared\": {\"load\": {", "\"conflicts\": ", 0},
    {"transpose<33>", "\"global\": {\"load\": {", "\"sectors\": ", 32 * 4},
    {"triples", "\"global\": {\"load\": {", "\"words\": ", 96},
    {"triples", "\"global\": {\"load\": {", "\"requests\": ", 3},
    {"triples", "\"in\": {\"load\": {", "\"sectors\": ", 36},
    {"triples", "\"out\": {", "\"store\": {\"words\": ", 96},
    {"diverging", "\"global\": {\"load\": {", "\"words\": ", 16 + 16},
    {"diverging", "\"global\": {\"load\": {", "\"requests\": ", 2},
    {"diverging", "\"global\": {\"load\": {", "\"sectors\": ", 4 + 2},
    {"diverging", "\"global\": {", "\"store\": {\"words\": ", 16},
    {"warp_sums", "\"atomic\": {", "\"requests\": ", 8},
    {"warp_sums", "\"global\": {\"load\": {", "\"requests\": ", 8},
    {"mixed", "\"global\": {\"load\": {", "\"words\": ", 2 * (8 + 32)},
    {"mixed", "\"global\": {\"load\": {", "\"sectors\": ", 2 * (1 + 4)},
    {"mixed", "\"shared\": {\"load\": {", "\"words\": ", 2 * (8 + 32)},
    {"mixed", "\"shared\": {\"load\": {", "\"requests\": ", 2 * 2},
    {"wide_loads", "\"shared\": {\"load\": {", "\"requests\": ", 6},
    {"wide_loads", "\"shared\": {\"load\": {", "\"wavefronts\": ", 4 + 2 + 2 + 4 + 2 + 1},
    {"wide_loads", "\"shared\": {\"load\": {", "\"conflicts\": ", 0},
    {"wide_stores", "\"store\": {\"words\": 192, ", "\"wavefronts\": ", 4 + 4},
    {"wide_stores", "\"model\": {", "\"instructions\": ", 64 + 192 + 64 + 64 + 96},
    {"shared_sums", "\"atomic\": {\"words\": 32, ", "\"wavefronts\": ", 4},
    {"in_turns", "\"loaded_by_a_launch\": {", "\"most\": ", 3 * 128},
    {"in_turns", "\"global\": {\"load\": {", "\"requests\": ", 3 * 4},
    {"in_turns", "\"global\": {\"load\": {", "\"sectors\": ", 3 * 16},
    {"contended", "\"atomic\": {", "\"words\": ", 256 * 32 * 100},
    {"assignments", "\"in\": {\"load\": {", "\"words\": ", 32},
    {"assignments", "\"out\": {\"load\": {", "\"words\": ", 32},
    {"assignments", "\"shared\": {\"load\": {", "\"words\": ", 8 + 32},
};

START_TEST(test_own_program) {
    char *json, name[100];
    ck_assert_int_eq(inspected(KERNELS_PROGRAM, &json), 0);
    ck_assert_msg(strstr(json, "\"faults\": []") != NULL, "%s", json);
    const char *parts = strstr(json, "\"kernels\": [");
    ck_assert_msg(parts != NULL, "no kernels in %s", json);
    for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++) {
        snprintf(name, sizeof name, "\"kernel\": \"%s\"", KERNELS[i].kernel);
        const char *part = strstr(parts, name);
        ck_assert_msg(part != NULL, "no %s in %s", name, parts);
        long long value = number_after(part, KERNELS[i].way, KERNELS[i].count);
        ck_assert_msg(value == KERNELS[i].value, "%s: %s %s%lld, not %d", KERNELS[i].kernel,
                      KERNELS[i].way, KERNELS[i].count, value, KERNELS[i].value);
    }
    free(json);
}
END_TEST

/* So many SMs as the environment says; a wrong number ends the program. */
START_TEST(test_multiprocessors) {
    outcome o = run_command("CUDACPU_MULTIPROCESSORS=132 " KERNELS_PROGRAM);
    ck_assert_msg(o.status == 0 && strstr(o.out, "132 SMs\n"), "status %d, '%s'", o.status, o.err);
    static const char *const wrong[] = {"0", "1025", "-1", "2x"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        char command[200], sentence[200];
        snprintf(command, sizeof command, "CUDACPU_MULTIPROCESSORS=%s " KERNELS_PROGRAM, wrong[i]);
        snprintf(sentence, sizeof sentence,
                 "cudacpu: CUDACPU_MULTIPROCESSORS is '%s'; it must be a number from 1 to 1024\n",
                 wrong[i]);
        o = run_command(command);
        ck_assert_msg(o.status == 2 && strcmp(o.err, sentence) == 0, "%s: status %d, '%s'", command,
                      o.status, o.err);
    }
}
END_TEST

static const struct {
    const char *arguments;
    int status;
    const char *sentence;
} WRONG[] = {
    {"--json", 2, "inspect: --json needs a file name\n"},
    {"--html --json", 2, "inspect: --html needs a file name\n"},
    {"--json /no/such/folder/x", 2,
     "inspect: --json /no/such/folder/x: the file cannot be written\n"},
    {"-n 8 --json /dev/full", 1, "inspect: the JSON file could not be written\n"},
    {"-n 8 --html /dev/full", 1, "inspect: the HTML file could not be written\n"},
    {"-n 8 --json /dev/null >&-", 1, "the output could not be written\n"},
    {"-n 0", 2, "-n '0': not a whole number from 1 to 2147483647\n"},
};

static const step_facts *find_cuda_step(void) {
    int i = 0;
    while (!all_steps[i].has_cuda)
        i++;
    return all_steps[i].facts;
}

START_TEST(test_options) {
    char command[200];
    snprintf(command, sizeof command, "(%s/inspect %s)", find_cuda_step()->name,
             WRONG[_i].arguments);
    outcome o = run_command(command);
    ck_assert_msg(o.status == WRONG[_i].status && strstr(o.err, WRONG[_i].sentence) &&
                      count_lines(o.err) == 1,
                  "%s: status %d, '%s'", command, o.status, o.err);
}
END_TEST

START_TEST(test_help) {
    char command[200];
    snprintf(command, sizeof command, "%s/inspect --help", find_cuda_step()->name);
    outcome o = run_command(command);
    ck_assert_msg(o.status == 0 && strstr(o.out, " --html FILE ") && strstr(o.out, "  -n N "),
                  "status %d, '%s'", o.status, o.out);
}
END_TEST

void add_inspect(Suite *suite) {
    TCase *part = add_part(suite, "inspect", 300);
    tcase_add_loop_test(part, test_planted, 0, COUNT_OF(EXPECTED));
    tcase_add_loop_test(part, test_planted_async, 0, COUNT_OF(EXPECTED_ASYNC));
    tcase_add_test(part, test_lowest_block);
    tcase_add_test(part, test_unread);
    tcase_add_test(part, test_page);
    tcase_add_loop_test(part, test_first, 0, COUNT_OF(FIRST));
    for (int i = 0; i < step_count; i++) {
        const step_facts *facts = all_steps[i].facts;
        if (!all_steps[i].has_cuda)
            continue;
        if (is_counted(facts->name))
            tcase_add_loop_test(part, test_counts, i, i + 1);
        if (counts_anew(facts->name, i > 0 ? all_steps[i - 1].facts->name : NULL))
            tcase_add_loop_test(part, test_kernel_counts, i, i + 1);
        else if (!is_counted(facts->name) && sum_kernels(facts->name, KERNEL_COUNTS[0].count) < 0)
            skip(facts->name, "ncu has not counted its kernels");
        if (facts->loads && WORDS_N % facts->tile == 0)
            tcase_add_loop_test(part, test_words, i, i + 1);
    }
    tcase_add_test(part, test_own_program);
    tcase_add_test(part, test_multiprocessors);
    tcase_add_loop_test(part, test_options, 0, COUNT_OF(WRONG));
    tcase_add_test(part, test_help);
}
