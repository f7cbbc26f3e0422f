/* check_mutants.c - `make check-mutants`, the suite itself: each step with a planted fault must be
 * rejected, and in the way that the first line of its script tests/mutants/STEP/NAME.sed says:
 *   # error           a comparison of the suite rejects a product
 *   # fault: TEXT     cudacpu ends a kernel, with a sentence that has this text
 *   # hang: TEXT      the same, and the sentence says that no thread can go on, or that ranks wait
 *                     for one that does not come; TEXT may be missing
 * After the first word, in this order, where it is needed:
 *   early             in the world of early effects (all_steps.h), not in that of late ones
 *   by check-sizes    check-sizes finds it, check does not
 *   at n = 385        products of this n do, and no others are tried
 * Products are those of `make check`; the first that is wrong ends the trial. */
#define _POSIX_C_SOURCE 200809L
#include "all_steps.h"
#include "command.h"
#include "reference_rows.h"
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum rejection { NOT_REJECTED, ERROR, FAULT, HANG } rejection;

typedef struct trial {
    const listed_step *step;
    rejection expected;
    world entered;
    int by_sizes;
    int n;            /* 0: all */
    char line[200];   /* of the script */
    const char *text; /* what must be said, in line */
} trial;

/* No other failure has this status. */
enum { WRONG_PRODUCT = 42, MOST_SECONDS = 100 };
#define RANKS_WAIT "10" /* seconds; a machine with other work is not still for so long */

static int take(const char **text, const char *start) {
    const size_t length = strlen(start);
    const int begins = strncmp(*text, start, length) == 0;
    *text += begins ? length : 0;
    return begins;
}

/* Whether the script's first line has the form above. */
static int read_expected(trial *t) {
    char path[200];
    snprintf(path, sizeof path, "tests/mutants/%s.sed", t->step->mutant);
    read_text(path, t->line, sizeof t->line);
    t->line[strcspn(t->line, "\n")] = 0;
    const char *rest = t->line;
    t->expected = take(&rest, "# error")   ? ERROR
                  : take(&rest, "# fault") ? FAULT
                  : take(&rest, "# hang")  ? HANG
                                           : NOT_REJECTED;
    t->entered = take(&rest, " early") ? EARLY : LATE;
    t->by_sizes = take(&rest, " by check-sizes");
    if (take(&rest, " at n = ")) {
        char *end;
        t->n = (int)strtol(rest, &end, 10);
        rest = end;
    }
    t->text = take(&rest, ": ") ? rest : "";
    return t->expected != NOT_REJECTED && (*t->text || *rest == 0) &&
           (*t->text || t->expected != FAULT);
}

static const char *test_product(const product *p, void *context) {
    const trial *t = context;
    if (t->n && p->n != t->n)
        return NULL;
    return verify_product(t->step->cuda, t->step->facts, p);
}

/* In a child: the products of check or of check-sizes; what is wrong with the first wrong one goes
 * to stderr. */
static int try_products(const void *argument) {
    trial t = *(const trial *)argument;
    const step_facts *facts = t.step->facts;
    const case_row *rows = t.by_sizes ? SIZES_CASES : CHECK_CASES;
    const int parity = t.by_sizes ? -1 : (int)t.entered;
    alarm(MOST_SECONDS);
    count_no_products();
    setenv("CUDACPU_NCCL_TIMEOUT", RANKS_WAIT, 1);
    if (t.by_sizes) {
        setenv("CUDACPU_ASYNC", "random", 1);
        give_devices(facts);
    } else
        enter_world(t.entered, facts);
    const char *problem = for_each_case(rows, facts, parity, test_product, &t);
    if (!problem)
        problem =
            for_each_drawn(t.by_sizes ? SIZES_DRAWN : CHECK_DRAWN,
                           t.by_sizes ? SIZES_MOST : CHECK_MOST, facts, parity, test_product, &t);
    fputs(problem ? problem : "", stderr);
    return problem ? WRONG_PRODUCT : 0;
}

/* The first line that is no warning of cudacpu's. */
static const char *skip_warnings(const char *text) {
    while (strncmp(text, "cudacpu: warning: ", 18) == 0 && strchr(text, '\n'))
        text = strchr(text, '\n') + 1;
    return text;
}

/* A signal, and any other way to fail, is none. */
static rejection find_rejection(const outcome *o) {
    const char *said = skip_warnings(o->err);
    if (o->status == WRONG_PRODUCT)
        return ERROR;
    if (o->status != 1)
        return NOT_REJECTED;
    if (take(&said, "cudacpu: kernel "))
        return strstr(said, " can go on: ") ? HANG : FAULT;
    return take(&said, "cudacpu: no rank of a communicator can go on: ") ||
                   (take(&said, "cudacpu: rank ") && strstr(said, " waits in "))
               ? HANG
               : NOT_REJECTED;
}

START_TEST(test_mutant) {
    trial t = {.step = &all_steps[_i]};
    const char *mutant = t.step->mutant;
    ck_assert_msg(read_expected(&t), "%s: its first line, '%s', is not of the form '# error'",
                  mutant, t.line);
    const outcome o = run_in_child(try_products, &t);
    ck_assert_msg(o.status != 0, "%s: nobody has noticed the planted fault", mutant);
    ck_assert_msg(find_rejection(&o) == t.expected && strstr(o.err, t.text),
                  "%s: not rejected as '%s' says: status %d, '%s'", mutant, t.line, o.status,
                  skip_warnings(o.err));
}
END_TEST

/* On a GPU, which has no such sentences: a race, a copy that happens to be in time, memory that
 * happens to be clear may go unnoticed; and one that waits does so for ever. */
static int may_hide(int i) {
    static const char *const WORDS[] = {"barrier", "memset", "wait", "soon", "parity", "hears_"};
    trial t = {.step = &all_steps[i]};
    int hides = read_expected(&t) && t.expected != ERROR;
    for (int w = 0; w < COUNT_OF(WORDS); w++)
        hides |= strstr(t.step->mutant, WORDS[w]) != NULL;
    return hides;
}

void add_parts(Suite *suite) {
    const int on_gpu = strcmp(BACKEND, "gpu") == 0;
    TCase *part = NULL;
    share_references();
    for (int i = 0; i < step_count; i++) {
        const step_facts *facts = all_steps[i].facts;
        if (!all_steps[i].mutant || !is_asked_for(facts->name))
            continue;
        if (i == 0 || !all_steps[i - 1].mutant || all_steps[i - 1].facts != facts)
            part = add_part(suite, facts->name, MOST_SECONDS + 20);
        if (on_gpu && may_hide(i))
            skip(all_steps[i].mutant, "its fault may go unnoticed on a GPU");
        else
            tcase_add_loop_test(part, test_mutant, i, i + 1);
    }
}
