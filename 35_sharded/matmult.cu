/* 35_sharded - each of several devices has rows of A and of C, and all columns of B.
 *
 * New: shards of the matrices, one for each rank (shards.h); NCCL, which gathers B; ranks
 * are threads of a process, or processes that MPI starts (ranks.h).
 * Launch: as many blocks as 34_overlapped on each device, for its rows. Reads:
 * of P devices each 4 n^2 / P bytes of A and 4 n^2 of B, which all come from the others
 * but for 1 / P, and its part of 4.5 n^3 / 128 bytes of slices in each pass.
 * Chapter: docs/35_sharded.md
 * Run: make 35_sharded && ./35_sharded/run */
#include "shards.h"

enum {
    PANEL = 1024,     /* tiles of C in a panel, at most */
    SLOWER_TO = 16384 /* up to this n two devices are slower than one: measured */
};

/* Each rank gets all columns of B and slices them. */
static void slice_b(const rank *r, const shard *s) {
    bounded_operands o = s->o;
    float *b = gather_columns(r, s->b, o.n / TILE, TILE, 0);
    o.matrix_b = b;
    if (s->count > 0)
        slice_columns_in_cluster(o);
    CUDA_CHECK(cudaStreamSynchronize(0));
    CUDA_CHECK(cudaFree(b));
}

static void multiply_rows(const rank *, const shard *s, size_t row, size_t rows) {
    bounded_operands o = s->o;
    o.top = (unsigned)row;
    o.rows = (unsigned)rows;
    slice_rows_in_shared(o);
    multiply_slices(o);
}

static shard_result multiply(const rank *r, const ranked_call *c) {
    const shard_plan plan = {PANEL, SLOWER_TO, slice_b, multiply_rows, largest_of_ranks};
    return multiply_shard(r, c, &plan);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    const ranked_call call = {a, lda, b, ldb, c, ldc, n};
    return perform_call(&call, multiply);
}
