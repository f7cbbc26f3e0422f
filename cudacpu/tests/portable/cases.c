/* cases.c - the suite's cases of the runtime and of device features without Check, which no cross
 * compiler brings along. Each runs in a process of its own: some end with an error that sticks. */
#include "conformance.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether a case fails. */
static int fails(const conformance_case *c) {
    pid_t child = fork();
    if (child == 0) {
        const char *problem = c->run();
        if (problem)
            fprintf(stderr, "%s: %s\n", c->name, problem);
        fflush(stderr);
        _exit(problem != NULL);
    }
    int status = 0;
    if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
        return 0;
    fprintf(stderr, "%s: failed (wait status %d)\n", c->name, status);
    return 1;
}

int main(void) {
    int failed = 0;
    for (const conformance_case *c = conformance_cases; c->name; c++)
        failed += fails(c);
    for (int i = 0; find_feature(i); i++)
        failed += fails(find_feature(i));
    return failed != 0;
}
