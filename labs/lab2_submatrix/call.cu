/* call.cu - the grader's side of lab2: calls the functions of student.cu that a case names, once */
#include "cuda_check.h"
#include "lab.h"
#include <malloc.h>
#include <string.h>

/* as in student.cu */
typedef struct Matrix {
    int width, height, stride;
    ELEMENT *elements;
} Matrix;
extern "C" {
void copy_blocks(Matrix a, Matrix c);
void multiply_plain(Matrix a, Matrix b, Matrix c);
void multiply_tiled(Matrix a, Matrix b, Matrix c);
ELEMENT *allocate_host(size_t elements, bool pinned);
void free_host(ELEMENT *memory, bool pinned);
}

static Matrix matrix(lab_matrix m) { return {m.columns, m.rows, m.stride, (ELEMENT *)m.elements}; }

static void copy(Matrix to, Matrix from) {
    for (int row = 0; row < from.height; row++)
        memcpy(to.elements + (size_t)row * to.stride, from.elements + (size_t)row * from.stride,
               from.width * sizeof(ELEMENT));
}

static bool is_pinned(const ELEMENT *memory) {
    cudaPointerAttributes attributes;
    CUDA_CHECK(cudaPointerGetAttributes(&attributes, memory));
    return attributes.type == cudaMemoryTypeHost;
}

/* Of malloc's memory, the bytes in use. */
static size_t in_use(void) {
    struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd - bytes_kept_of_freed();
}

static int failed(const char *sentence) {
    fprintf(stderr, "lab2: %s\n", sentence);
    return 1;
}

/* To the device and back. */
static void round_trip(Matrix m) {
    const size_t bytes = (size_t)m.height * m.stride * sizeof(ELEMENT);
    ELEMENT *device;
    CUDA_CHECK(cudaMalloc(&device, bytes));
    CUDA_CHECK(cudaMemcpy(device, m.elements, bytes, cudaMemcpyHostToDevice));
    memset(m.elements, 0, bytes);
    CUDA_CHECK(cudaMemcpy(m.elements, device, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device));
}

/* By host code: the memory is tested here, and no kernel. */
static void multiply(Matrix a, Matrix b, Matrix c) {
    for (int row = 0; row < c.height; row++)
        for (int column = 0; column < c.width; column++) {
            ELEMENT sum = 0;
            for (int k = 0; k < a.width; k++)
                sum += a.elements[(size_t)row * a.stride + k] *
                       b.elements[(size_t)k * b.stride + column];
            c.elements[(size_t)row * c.stride + column] = sum;
        }
}

/* Whether a copy from the device has room there. */
static bool has_room(ELEMENT *memory, size_t bytes) {
    void *device;
    CUDA_CHECK(cudaMalloc(&device, bytes));
    CUDA_CHECK(cudaMemset(device, 1, bytes));
    cudaError_t copied = cudaMemcpy(memory, device, bytes, cudaMemcpyDeviceToHost);
    cudaGetLastError(); /* it is asked for here */
    CUDA_CHECK(cudaFree(device));
    return copied == cudaSuccess;
}

/* A product in host memory that the student allocates and frees. */
static int through_host(const lab_case *c, bool pinned) {
    enum { BYTES = 1 << 20 };
    CUDA_CHECK(cudaFree(NULL)); /* what CUDA takes at its first call is not the student's */
    size_t before = in_use();
    ELEMENT *probe = allocate_host(BYTES / sizeof(ELEMENT), pinned);
    if (!probe)
        return failed("allocate_host gave NULL");
    if (is_pinned(probe) != pinned)
        return failed(pinned ? "allocate_host(.., true) gave memory that is not pinned"
                             : "allocate_host(.., false) gave pinned memory");
    if (!pinned && in_use() < before + BYTES)
        return failed(
            "allocate_host(.., false) took fewer bytes from malloc than its elements have");
    if (pinned && !has_room(probe, BYTES))
        return failed("allocate_host(.., true) gave fewer bytes than its elements have");
    memset(probe, 1, BYTES);
    before = in_use();
    free_host(probe, pinned);
    if (!pinned && in_use() + BYTES > before)
        return failed("free_host did not free pageable memory: it belongs to free");
    CUDA_CHECK(cudaGetLastError());

    Matrix given[] = {matrix(c->a), matrix(c->b), matrix(c->c)}, used[3];
    for (int i = 0; i < 3; i++) {
        used[i] = given[i];
        used[i].elements = allocate_host((size_t)given[i].height * given[i].width, pinned);
        used[i].stride = given[i].width;
        copy(used[i], given[i]);
    }
    round_trip(used[0]);
    round_trip(used[1]);
    multiply(used[0], used[1], used[2]);
    copy(given[2], used[2]);
    for (int i = 0; i < 3; i++)
        free_host(used[i].elements, pinned);
    for (int i = 0; i < 3; i++)
        if (is_pinned(used[i].elements))
            return failed(
                "free_host(.., true) did not free pinned memory: it belongs to cudaFreeHost");
    CUDA_CHECK(cudaGetLastError());
    return 0;
}

int lab_call(const lab_case *c) {
    Matrix a = matrix(c->a), b = matrix(c->b), product = matrix(c->c);
    if (strcmp(c->variant, "copy") == 0)
        copy_blocks(b, product); /* A is the identity: C = B */
    else if (strcmp(c->variant, "plain") == 0)
        multiply_plain(a, b, product);
    else if (strcmp(c->variant, "tiled") == 0)
        multiply_tiled(a, b, product);
    else if (strcmp(c->variant, "pinned") == 0 || strcmp(c->variant, "pageable") == 0)
        return through_host(c, strcmp(c->variant, "pinned") == 0);
    else
        return failed("there are copy, plain, tiled, pinned and pageable");
    return 0;
}
