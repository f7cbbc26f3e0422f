/* sm.c - the command: `sm TABLE` prints one of the tables as CSV, `sm steps N [STEP...]` calls
 * steps for a profiler. Measures a GPU: bench/sm.sh runs them all. */
#include "products.h"
#include "tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    void (*print)(void);
} tables[] = {
    {"latency", table_latency},       {"rates", table_rates},
    {"little_fma", table_little_fma}, {"little_memory", table_little_memory},
    {"divergence", table_divergence}, {"banks", table_banks},
    {"launches", table_launches},     {"failing", table_failing},
};

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0); /* rows are kept when it is stopped */
    if (argc >= 3 && !strcmp(argv[1], "steps")) {
        int n = atoi(argv[2]);
        if (n < 1 || n > 16384) {
            fprintf(stderr, "sm steps: n = %s; it is 1 to 16384\n", argv[2]);
            return 2;
        }
        call_steps(n, argc - 3, argv + 3);
        return 0;
    }
    for (size_t i = 0; argc == 2 && i < sizeof tables / sizeof *tables; i++)
        if (!strcmp(argv[1], tables[i].name)) {
            tables[i].print();
            return 0;
        }
    fprintf(stderr, "usage: sm TABLE | sm steps N [STEP...]; TABLE is one of");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        fprintf(stderr, " %s", tables[i].name);
    fprintf(stderr, "\n");
    return 2;
}
