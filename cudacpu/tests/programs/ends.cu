/* ends.cu - a program that ends as its argument says, after a kernel with a fault: block 1 reads
 * and writes what block 0 writes.
 *
 * Covers: `abort()`, `assert()`, `quick_exit()`, a limit of time, a failed call, a null pointer, a
 * kernel that is called, a function that is launched, a broken heap, a launch that takes long. */
#include <assert.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>
#include <unistd.h>

__global__ void add(int *p, int times) {
    for (int i = 0; i < times; i++)
        p[threadIdx.x] += i; /* race */
}

static void nothing(int *, int) {}
__global__ void rest(int seconds) { sleep((unsigned)seconds); } /* as if it computed so long */

/* malloc() aborts, and holds its lock. */
static void break_heap() {
    std::thread([] { sleep(1000); }).detach(); /* else it takes none */
    char *last = (char *)malloc(100001);
    memset(last + malloc_usable_size(last), 0xFF, 8);
    for (int i = 0; i < 100; i++)
        *(char *volatile *)&last = (char *)malloc(100001);
}

int main(int argc, char **argv) {
    const char *end = argc > 1 ? argv[1] : "";
    int *p;
    cudaMalloc(&p, 32 * sizeof *p);
    cudaMemset(p, 0, 32 * sizeof *p);
    if (strcmp(end, "unasked") == 0) {
        cudaMemcpy(p, p + 16, 4, (cudaMemcpyKind)9); /* fails */
        cudaFree(p);
        return 0;
    }
    if (strcmp(end, "rest") == 0)
        rest<<<1, 1>>>(6);
    if (strcmp(end, "heap") == 0)
        break_heap();
    if (strcmp(end, "null") == 0) {
        void (*none[1])(int *, int) = {nullptr};
        none[0]<<<1, 32>>>(p, 1);
    }
    void (*volatile kernel)(int *, int) = add, (*volatile function)(int *, int) = nothing;
    if (strcmp(end, "call") == 0)
        kernel(p, 1);
    if (strcmp(end, "function") == 0)
        function<<<1, 32>>>(p, 1);
    if (strcmp(end, "host") == 0) {
        static int of_host[32];
        add<<<10000, 32>>>(of_host, 1);
    }
    add<<<10000, 32>>>(p, strcmp(end, "long") == 0 ? 3000 : 1);
    cudaDeviceSynchronize();
    if (strcmp(end, "abort") == 0)
        abort();
    assert(strcmp(end, "assert") != 0);
    if (strcmp(end, "quick_exit") == 0)
        quick_exit(0);
    cudaFree(p);
    exit(0);
}
