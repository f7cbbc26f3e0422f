/* options.h - the command line of a step's programs, and how they end. */
#ifndef OPTIONS_H
#define OPTIONS_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct options {
    int n, repeats, csv;
    int devices; /* 0: all; of a step for several devices */
    uint64_t seed;
} options;

/* Reads the command line. --help prints the options and ends the program with 0; anything wrong
 * ends it with one sentence and status 2. */
options parse_options(int argc, char **argv);

/* Prints "STEP: " and the sentence on stderr, and ends the program. */
void end_program(int status, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
