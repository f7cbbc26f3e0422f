/* bench.c - every step and cuBLAS in one run, through the contract of a step, as CSV.
 *
 *     bench kernel|normal|total SIZE... [NAME...]
 *
 * kernel and normal: the kernels, on uniform and on standard normal operands; total: what the user
 * waits for. NAMEs choose programs. */
#include "ceilings.h"
#include "kernels.h"
#include "program.h"
#include "totals.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int sizes = 2;
    while (sizes < argc && isdigit((unsigned char)argv[sizes][0]) && !strchr(argv[sizes], '_'))
        sizes++;
    if (sizes == 2) {
        fprintf(stderr, "usage: bench kernel|normal|total SIZE... [NAME...]\n");
        return 2;
    }
    find_programs(argc - sizes, argv + sizes);
    if (strcmp(argv[1], "total") == 0) {
        print_totals_header();
        for (int i = 2; i < sizes; i++)
            measure_totals(atoi(argv[i]));
        return 0;
    }
    ceilings limit = measure_ceilings();
    printf("# ceilings: float FMA %.1f TFLOP/s, fp16 tensor %.0f TFLOP/s, int8 tensor %.0f TOP/s, "
           "copy %.2f TB/s (read + written)\n",
           limit.fma, limit.fp16, limit.int8, limit.copy);
    print_kernels_header();
    for (int i = 2; i < sizes; i++)
        measure_kernels(atoi(argv[i]), strcmp(argv[1], "normal") == 0 ? NORMAL : UNIFORM, limit);
    return 0;
}
