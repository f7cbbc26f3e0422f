/* no_opencl.c - stands in for opencl.c on a machine without OpenCL's header and library. */
#include "opencl.h"
#include <stdio.h>

int opencl_multiply(const char *source, const int *a, const int *b, int *c, int m, int p, int n,
                    int tile) {
    (void)source, (void)a, (void)b, (void)c, (void)m, (void)p, (void)n, (void)tile;
    fprintf(
        stderr,
        "OpenCL is missing here; in Debian: apt-get install pocl-opencl-icd ocl-icd-opencl-dev\n");
    return 1;
}
