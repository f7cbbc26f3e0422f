/* 36_many_gpus - each device slices columns of B, and sends these slices to the others
 * while all multiply what they have.
 *
 * New: exchange.
 * Launch: as many blocks as 35_sharded on each device; the product of the first panel in
 * a launch for each rank's columns. Reads: of P devices each 4 n^2 / P bytes of A and as
 * many of B; 3 n^2 (P - 1) / P bytes of slices come from the others; and its shard of
 * 4.5 n^3 / 128 bytes of slices in each pass.
 * Chapter: docs/36_many_gpus.md
 * Run: make 36_many_gpus && ./36_many_gpus/run */
#include "../35_sharded/shards.h"

enum {
    PANEL = 1024,    /* tiles of C in a panel, at most */
    SLOWER_TO = 4096 /* up to this n two devices are slower than one: measured */
};

/* Of columns whose slices came from another rank: the magnitudes, which that rank has
 * stored in the same way. A block for each tile. */
static __global__ void restore_magnitudes_kernel(const bounded_operands o) {
    const size_t tile = o.left / TILE + blockIdx.x;
    if (!o.signs_b[tile])
        return;
    const uint4 *x0 = (const uint4 *)&o.b[packed_layout::offset(tile * TILE, 0, 0, o.n)];
    uint4 *to = (uint4 *)&o.magnitudes_b[find_magnitudes(tile * TILE, 0, o.n)];
    enum { PER_SLICE = SLICE_BYTES / 16 };
    for (size_t i = threadIdx.x; i < o.n / BK * PER_SLICE; i += blockDim.x) {
        const uint4 x = x0[i / PER_SLICE * SLICES * PER_SLICE + i % PER_SLICE];
        if ((x.x | x.y | x.z | x.w) & 0x80808080)
            to[i] = make_uint4(__vabs4(x.x), __vabs4(x.y), __vabs4(x.z), __vabs4(x.w));
    }
}

/* Round i of r->count - 1: this rank's slices, and what belongs to them, go to the rank i
 * before it, while those of the rank i behind it come. */
static void exchange(const rank *r, const bounded_operands &o, int i,
                     cudaStream_t stream) {
#ifdef HAVE_NCCL
    const struct {
        void *all;
        size_t bytes; /* for a tile */
    } arrays[] = {{o.b, TILE * SLICES * o.n},
                  {o.scale_b, TILE * sizeof *o.scale_b},
                  {o.norms_b, TILE * sizeof *o.norms_b},
                  {o.spoils_b, TILE * sizeof *o.spoils_b},
                  {o.signs_b, sizeof *o.signs_b}};
    const int from = (r->number + i) % r->count,
              to = (r->number + r->count - i) % r->count;
    const size_t own = first_of(r, o.n, r->number) / TILE,
                 send = first_of(r, o.n, r->number + 1) / TILE - own,
                 first = first_of(r, o.n, from) / TILE,
                 receive = first_of(r, o.n, from + 1) / TILE - first;
    const bool wanted = first_of(r, o.n, to) < first_of(r, o.n, to + 1);
    NCCL_CHECK(ncclGroupStart());
    for (auto array : arrays) { /* who has no columns has no rows, and needs nothing */
        if (send > 0 && wanted)
            NCCL_CHECK(ncclSend((char *)array.all + own * array.bytes, send * array.bytes,
                                ncclInt8, to, r->comm, stream));
        if (send > 0 && receive > 0)
            NCCL_CHECK(ncclRecv((char *)array.all + first * array.bytes,
                                receive * array.bytes, ncclInt8, from, r->comm, stream));
    }
    NCCL_CHECK(ncclGroupEnd());
    CUDA_CHECK(cudaEventRecord(r->received[i], stream));
#endif
}

/* Slices this rank's columns; its slices go to the others, and theirs come. */
static void slice_b(const rank *r, const shard *s) {
    if (s->count == 0)
        return;
    const cudaStream_t copies = get_workspace(0)->down; /* nothing goes down yet */
    bounded_operands o = s->o;
    o.left = (unsigned)s->first;
    o.columns = (unsigned)s->count;
    o.matrix_b = s->b;
    o.ldb = s->count;
    slice_columns_in_cluster(o);
    CUDA_CHECK(cudaEventRecord(r->received[0], 0));
    CUDA_CHECK(cudaStreamWaitEvent(copies, r->received[0], 0));
    for (int i = 1; i < r->count; i++)
        exchange(r, s->o, i, copies);
}

/* Multiplies rows of a shard: the first ones with each rank's columns when these are
 * there. */
static void multiply_rows(const rank *r, const shard *s, size_t row, size_t rows) {
    bounded_operands o = s->o;
    o.top = (unsigned)row;
    o.rows = (unsigned)rows;
    slice_rows_in_shared(o);
    if (row > 0)
        return multiply_slices(o);
    for (int i = 0; i < r->count; i++) {
        const int of = (r->number + i) % r->count;
        o.left = (unsigned)first_of(r, o.n, of);
        o.columns = (unsigned)first_of(r, o.n, of + 1) - o.left;
        if (o.columns == 0)
            continue;
        if (i > 0) {
            CUDA_CHECK(cudaStreamWaitEvent(0, r->received[i], 0));
            restore_magnitudes_kernel<<<o.columns / TILE, 512>>>(o);
            CUDA_CHECK(cudaGetLastError());
        }
        multiply_slices(o);
    }
}

static shard_result multiply(const rank *r, const ranked_call *c) {
    const shard_plan plan = {PANEL, SLOWER_TO, slice_b, multiply_rows, sum_of_ranks};
    return multiply_shard(r, c, &plan);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    const ranked_call call = {a, lda, b, ldb, c, ldc, n};
    return perform_call(&call, multiply);
}
