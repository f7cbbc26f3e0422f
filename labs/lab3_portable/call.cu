/* call.cu - how a test calls student.cu and student.cl; the parameter is the tile. "observed" is
 * student.cl under inspect. */
#include "lab.h"
#include "opencl.h"
#include <stdio.h>
#include <string.h>

extern "C" void multiply(const int *a, const int *b, int *c, int m, int p, int n, int tile);
/* In cl_as_cuda.cuh; it is not there without inspect, and when student.cl does not compile. */
extern "C" __attribute__((weak)) int opencl_as_cuda(const int *a, const int *b, int *c, int m,
                                                    int p, int n);

int lab_call(const lab_case *test) {
    const int *a = (const int *)test->a.elements, *b = (const int *)test->b.elements;
    int *c = (int *)test->c.elements, m = test->a.rows, p = test->a.columns, n = test->b.columns;
    int tile = test->parameter;
    if (strcmp(test->variant, "opencl") == 0)
        return opencl_multiply("student.cl", a, b, c, m, p, n, tile);
    if (strcmp(test->variant, "observed") == 0) {
        if (opencl_as_cuda == NULL) {
            fprintf(stderr, "student.cl cannot be observed: read as CUDA, with OpenCL's words, it "
                            "does not compile\n");
            return 1;
        }
        if (opencl_as_cuda(a, b, c, m, p, n) != 0) {
            fprintf(stderr,
                    "a barrier without CLK_LOCAL_MEM_FENCE orders no access to local memory\n");
            return 1;
        }
        return 0;
    }
    multiply(a, b, c, m, p, n, tile);
    return 0;
}
