/* options.c - the command line of a step's programs, and how they end. */
#include "options.h"
#include "report.h"
#include "step.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void end_program(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "%s: ", this_step.name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(status);
}

static void print_help(void) {
    printf(
        "%s: multiplies two random n x n matrices and compares the product with the CPU "
        "reference\n\n"
        "  -n N        rows and columns (1 to %d; default 1000)\n"
        "  -s SEED     of the random numbers (0 to %" PRId64 "; default 0)\n"
        "  -r REPEATS  times to multiply; the times printed are medians (1 to 1000000; default 1)\n"
        "%s"
        "  --csv       one line of values with a header, and a hash of the product's bytes\n"
        "  --help      this text\n\n"
        "Exit status: 0 it ran and kept its error bound, 1 it did not, 2 wrong usage, 77 the "
        "device cannot run "
        "this step.\n",
        this_step.name, INT_MAX, INT64_MAX,
        this_step.several_devices
            ? "  --devices D so many of the machine's devices (1 to 64; default all of them)\n"
            : "");
}

/* A whole number from low to high in plain digits, nothing else; or the end of the program. */
static int64_t parse_number(const char *option, const char *text, int64_t low, int64_t high) {
    if (!text)
        end_program(2, "%s needs a value: a whole number from %" PRId64 " to %" PRId64, option, low,
                    high);
    const size_t digits = strspn(text, "0123456789");
    errno = 0;
    const int64_t value = strtoll(text, NULL, 10);
    if (digits == 0 || text[digits] != 0 || errno != 0 || value < low || value > high)
        end_program(2, "%s '%s': not a whole number from %" PRId64 " to %" PRId64, option, text,
                    low, high);
    return value;
}

options parse_options(int argc, char **argv) {
    options o = {1000, 1, 0, 0, 0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-n") == 0)
            o.n = (int)parse_number("-n", argv[i + 1], 1, INT_MAX), i++;
        else if (strcmp(argv[i], "-s") == 0)
            o.seed = (uint64_t)parse_number("-s", argv[i + 1], 0, INT64_MAX), i++;
        else if (strcmp(argv[i], "-r") == 0)
            o.repeats = (int)parse_number("-r", argv[i + 1], 1, 1000000), i++;
        else if (this_step.several_devices && strcmp(argv[i], "--devices") == 0)
            o.devices = (int)parse_number("--devices", argv[i + 1], 1, 64), i++;
        else if (strcmp(argv[i], "--csv") == 0)
            o.csv = 1;
        else if (strcmp(argv[i], "--help") == 0) {
            print_help();
            require_output();
            exit(0);
        } else
            end_program(2, "unknown option '%s': --help lists what there is", argv[i]);
    }
    return o;
}
