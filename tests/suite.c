/* suite.c - main() of every suite. Each part runs in a process of its own, as many at once as there
 * are processors; what it says is printed when it ends, in the order of the parts, and then a line:
 * how many products, the largest error, how long it took. Check forks again for each test. */
#define _DEFAULT_SOURCE
#include "suite.h"
#include "reference_rows.h"
#include "timing.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PARTS = 200, MOST_AT_ONCE = 4 };

typedef struct largest_error {
    double error, tolerance;
} largest_error;

typedef struct part {
    const char *name;
    pid_t process; /* 0: not begun, -1: ended */
    double begun, seconds;
    int ran, failures, errors; /* ran < 0: it has not counted its tests yet */
    int products;
    largest_error uniform, others;
} part;

static part *parts; /* in memory that the tests' processes share */
static int part_count, skipped;
static part *running; /* in a part's own process, and in those of its tests */

int is_asked_for(const char *name) {
    const char *wanted = getenv("CK_RUN_CASE");
    return !wanted || strcmp(wanted, name) == 0;
}

void skip(const char *name, const char *reason) {
    printf("SKIP %s: %s\n", name, reason);
    skipped++;
}

unsigned long check_seed(void) {
    const char *text = getenv("CHECK_SEED");
    char *end;
    const unsigned long seed = text ? strtoul(text, &end, 10) : 0;
    if (text && (*text < '0' || *text > '9' || *end)) {
        fprintf(stderr, "CHECK_SEED='%s': it is a whole number\n", text);
        exit(2);
    }
    return seed;
}

TCase *add_part(Suite *suite, const char *name, double seconds) {
    TCase *test_case = tcase_create(name);
    tcase_set_timeout(test_case, seconds);
    suite_add_tcase(suite, test_case);
    if (part_count == MAX_PARTS) {
        fprintf(stderr, "suite: MAX_PARTS is too small\n");
        exit(1);
    }
    if (is_asked_for(name))
        parts[part_count++].name = name;
    return test_case;
}

/* A NaN is the largest. */
static void keep_larger(largest_error *kept, double error, double tolerance) {
    if (kept->tolerance == 0 || !(error / tolerance <= kept->error / kept->tolerance))
        *kept = (largest_error){error, tolerance};
}

void count_no_products(void) { running = NULL; }

void count_product(int is_uniform, double error, double tolerance) {
    if (!running)
        return;
    running->products++;
    keep_larger(is_uniform ? &running->uniform : &running->others, error, tolerance);
}

static void name_output(const part *p, char *path, size_t size) {
    snprintf(path, size, BUILD "/tests/part.%d.%d", (int)getpid(), (int)(p - parts));
}

/* In a process of its own: a part, with what it says in a file. */
static void run_part(Suite *suite, part *p, const char *output) {
    if (!freopen(output, "w", stdout) || dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
        _exit(1);
    setenv("CK_RUN_CASE", p->name, 1);
    running = p;
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_SILENT);
    TestResult **results = srunner_failures(runner);
    for (int i = 0; i < srunner_ntests_failed(runner); i++)
        *(tr_rtype(results[i]) == CK_FAILURE ? &p->failures : &p->errors) += 1;
    if (srunner_ntests_failed(runner))
        srunner_print(runner, CK_NORMAL);
    p->ran = srunner_ntests_run(runner);
    fflush(stdout);
    _exit(0);
}

static void begin_part(Suite *suite, part *p) {
    char output[200];
    name_output(p, output, sizeof output);
    p->ran = -1;
    p->begun = wall_seconds();
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        run_part(suite, p, output);
    p->process = child; /* the parent's to say: the child shares it */
}

/* What a part has said; how many warnings of cudacpu there were. Parts without products ask for
 * warnings, and show them only where they fail. */
static int print_said(const part *p) {
    static const char WARNING[] = "cudacpu: warning: ";
    const int quiet = p->products == 0 && p->failures + p->errors == 0;
    char path[200], line[2000];
    int warnings = 0;
    name_output(p, path, sizeof path);
    FILE *said = fopen(path, "r");
    while (said && fgets(line, sizeof line, said)) {
        const int warning = strncmp(line, WARNING, strlen(WARNING)) == 0;
        warnings += warning;
        if (!warning || !quiet)
            fputs(line, stdout);
    }
    if (said)
        fclose(said);
    return warnings;
}

/* What cudacpu warns of while a step is tried is a failure: a right program gives it no reason. */
static void end_part(part *p) {
    if (print_said(p) && p->products)
        p->ran++, p->failures++;
    if (p->ran < 0) {
        printf("%s: it has ended before its tests were counted\n", p->name);
        p->ran = p->errors = 1;
    }
}

static int has_failed(const part *p) { return p->failures + p->errors > 0; }

static void print_error(const char *before, largest_error e, const char *after) {
    if (e.tolerance > 0)
        printf("%s%.2g of %.2g%s", before, e.error, e.tolerance, after);
}

/* 06_tiled  312 products, largest error 6.4e-08 of 1e-06, 1.1 s */
static void print_line(const part *p) {
    printf("%-18s ", p->name);
    if (p->products == 0)
        printf("%d checks", p->ran);
    else if (p->uniform.tolerance == p->others.tolerance || p->others.tolerance == 0)
        printf("%d products, largest error %.2g of %.2g", p->products,
               p->uniform.error > p->others.error ? p->uniform.error : p->others.error,
               p->uniform.tolerance);
    else {
        printf("%d products, largest error ", p->products);
        print_error("", p->uniform, " (uniform), ");
        print_error("", p->others, " (others)");
    }
    printf(", %.1f s%s\n", p->seconds, has_failed(p) ? "  FAILED" : "");
    if (has_failed(p) && p->products)
        printf("%s: again with CHECK_SEED=%lu CK_RUN_CASE=%s\n", p->name, check_seed(), p->name);
    fflush(stdout);
}

static void wait_for_one(void) {
    const pid_t ended = wait(NULL);
    for (int i = 0; i < part_count; i++)
        if (parts[i].process == ended && ended > 0) {
            parts[i].process = -1;
            parts[i].seconds = wall_seconds() - parts[i].begun;
        }
}

int main(void) {
    parts = mmap(NULL, MAX_PARTS * sizeof *parts, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (parts == MAP_FAILED) {
        fprintf(stderr, "suite: no memory that tests could share\n");
        return 1;
    }
    check_seed(); /* says what is wrong with it */
    Suite *suite = suite_create(BACKEND);
    add_parts(suite);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int on_cpu = strcmp(BACKEND, "cpu") == 0, /* a device is for one process */
        most = !on_cpu                     ? 1
               : processors < MOST_AT_ONCE ? (int)processors
                                           : MOST_AT_ONCE;
    int begun = 0, products = 0, ran = 0, failures = 0, errors = 0;
    for (int i = 0; i < part_count; i++) {
        while (parts[i].process >= 0) { /* until it has ended */
            int busy = 0;
            for (int other = i; other < begun; other++)
                busy += parts[other].process > 0;
            if (begun < part_count && busy < most)
                begin_part(suite, &parts[begun++]);
            else
                wait_for_one();
        }
        end_part(&parts[i]);
        print_line(&parts[i]);
        products += parts[i].products;
        ran += parts[i].ran, failures += parts[i].failures, errors += parts[i].errors;
    }
    for (int i = 0; i < part_count; i++) {
        char output[200];
        name_output(&parts[i], output, sizeof output);
        if (has_failed(&parts[i]) && part_count > 1) { /* it may have scrolled by */
            printf("== %s\n", parts[i].name);
            print_said(&parts[i]);
        }
        unlink(output);
    }
    if (products)
        printf("%d products, ", products);
    printf("%d checks, %d skipped\n", ran, skipped);
    printf("%d%%: Checks: %d, Failures: %d, Errors: %d\n",
           ran ? 100 * (ran - failures - errors) / ran : 0, ran, failures, errors);
    if (ran == 0 && skipped == 0)
        fprintf(stderr, "No test ran: there is no part named '%s'\n", getenv("CK_RUN_CASE"));
    return failures + errors != 0 || (ran == 0 && skipped == 0);
}
