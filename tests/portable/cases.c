/* cases.c - the suite's cases of the runtime and of device features without Check, which no cross
 * compiler brings along. Each runs in a process of its own: some end with an error that sticks. */
#include "conformance.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int run(const conformance_case *c) {
    int failed = 0;
    for (; c->name; c++) {
        pid_t child = fork();
        if (child == 0) {
            const char *problem = c->run();
            if (problem)
                fprintf(stderr, "%s: %s\n", c->name, problem);
            fflush(stderr);
            _exit(problem != NULL);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            fprintf(stderr, "%s: failed (wait status %d)\n", c->name, status);
            failed++;
        }
    }
    return failed;
}

int main(void) { return run(conformance_cases) + run(feature_cases) != 0; }
