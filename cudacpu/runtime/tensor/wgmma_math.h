/* wgmma_math.h - the arithmetic of wgmma, m64nN with 32 bytes along k: given the registers of a
 * warpgroup's 128 threads and its shared memory. Nothing here waits for anybody. */
#ifndef CUDACPU_RUNTIME_WGMMA_MATH_H
#define CUDACPU_RUNTIME_WGMMA_MATH_H
#include "cudacpu/ptx.h"
#include "wgmma_operand.h"

namespace cudacpu {

struct wgmma_call {
    ptx::wgmma_shape shape;
    /* Of each of 128 threads the n / 2 sums: an array, where they follow, else their addresses. */
    char *const *first;
    const bool *follow;
    void *const (*d)[128];
    const uint32_t (*a_registers)[4]; /* of each its registers of A; NULL: descriptor a */
    uint64_t a, b;                    /* descriptors */
    bool accumulate;
    /* The place of 16 bytes at this shared address; argument is for who reads. */
    const void *(*from_shared)(uint32_t address, void *argument);
    void *argument;
};

/* The factors in shared memory: A's has no vectors where A is in registers. */
wgmma_operand operand_a(const wgmma_call &call);
wgmma_operand operand_b(const wgmma_call &call);

/* d = a b (+ d). Exact and inexact as the sums of mma.sync (matrix_product.h), k being 32 or 16. */
void multiply_warpgroup(const wgmma_call &call);

} // namespace cudacpu
#endif
