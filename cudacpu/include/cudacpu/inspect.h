/* inspect.h - what a program made by `cpucc --inspect` can tell about itself, so that the report
 * can set the counts beside what was expected. Optional. */
#ifndef CUDACPU_INSPECT_H
#define CUDACPU_INSPECT_H
#ifdef __cplusplus
extern "C" {
#endif

typedef struct inspect_facts {
    const char *name;    /* of the program */
    int n;               /* its size */
    double flop;         /* floating-point operations that the result needs: 2 n^3 */
    const char *formula; /* words loaded from global memory, as text; NULL: nothing is expected */
    double loads;        /* its value */
    double total_seconds, kernel_seconds; /* what was published for it; 0: nothing */
} inspect_facts;

/* Copies the facts. */
void tell_inspect(const inspect_facts *facts);

/* Was --html given? Then a small size is legible. */
int is_page_wanted(void);

#ifdef __cplusplus
}
#endif
#endif
