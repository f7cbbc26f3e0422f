/* wgmma_math.cpp - the arithmetic of wgmma. Each of the four warps has 16 rows of the sums, and in
 * these what mma.sync's lanes have, for every 8 columns. */
#include "wgmma_math.h"
#include "cudacpu/half_bits.h"
#include "matrix_product.h"
#include "mma.h"
#include <algorithm>
#include <cstring>

namespace cudacpu {

namespace {

enum { THREADS = 128, ROWS = 64, WORDS = 8, MOST_COLUMNS = 256 };

/* Too large for the stack of a CUDA thread. Only one at a time is in here on an OS thread. */
struct workspace {
    uint32_t a[ROWS][WORDS], b[MOST_COLUMNS][WORDS], panel[WORDS][PANEL];
    uint32_t addresses[MOST_SEGMENTS];
    double a_values[ROWS * 2 * WORDS], double_sums[ROWS][PANEL];
    int32_t integer_sums[ROWS][PANEL];
    uint32_t *contiguous[THREADS];
};
thread_local workspace space;

/* Of every vector its words along k. */
void read_operand(const wgmma_call &call, const wgmma_operand &operand, uint32_t (*to)[WORDS]) {
    uint32_t *const addresses = space.addresses;
    const unsigned count = segment_addresses(operand, addresses);
    /* One look where all lies together, else one for each segment. */
    const uint32_t first = *std::min_element(addresses, addresses + count),
                   last = *std::max_element(addresses, addresses + count);
    const char *const memory = (const char *)call.from_shared(first, call.argument);
    const bool together =
        (const char *)call.from_shared(last, call.argument) - memory == (ptrdiff_t)(last - first);
    for (unsigned i = 0; i < count; i++) {
        const void *from = together ? memory + (addresses[i] - first)
                                    : call.from_shared(addresses[i], call.argument);
        if (!operand.transposed) {
            memcpy(to[i / 2] + i % 2 * (WORDS / 2), from, SEGMENT);
            continue;
        }
        uint16_t elements[8];
        memcpy(elements, from, SEGMENT);
        for (unsigned j = 0; j < 8; j++)
            memcpy((char *)to[i / 16 * 8 + j] + i % 16 * 2, &elements[j], 2);
    }
}

void gather_registers(const uint32_t *const *registers, uint32_t (*to)[WORDS]) {
    for (unsigned thread = 0; thread < THREADS; thread++) {
        const unsigned row = thread / 32 * 16 + thread % 32 / 4, place = thread % 4;
        for (unsigned i = 0; i < 4; i++)
            to[row + i % 2 * 8][i / 2 * 4 + place] = registers[thread][i];
    }
}

void negate(uint32_t (*words)[WORDS], unsigned vectors) {
    for (unsigned i = 0; i < vectors * WORDS; i++)
        words[i / WORDS][i % WORDS] ^= 0x80008000;
}

/* Mostly a thread's sums are neighbours, elements of an array. */
uint32_t *find_contiguous(void *const *d, unsigned count) {
    uintptr_t differ = 0;
    for (unsigned i = 0; i < count; i++)
        differ |= (uintptr_t)d[i] - (uintptr_t)d[0] - i * sizeof(uint32_t);
    return differ ? nullptr : (uint32_t *)d[0];
}

/* The four sums of a thread in a panel. */
void store(const wgmma_call &call, uint32_t *const sums[4], const int32_t *low,
           const int32_t *high) {
    const int32_t product[4] = {low[0], low[1], high[0], high[1]};
    for (unsigned i = 0; i < 4; i++)
        *sums[i] = integer_sum(product[i], call.accumulate ? *sums[i] : 0, call.shape.saturate);
}
void store(const wgmma_call &call, uint32_t *const sums[4], const double *low, const double *high) {
    const double product[4] = {low[0], low[1], high[0], high[1]};
    for (unsigned i = 0; i < 4; i++)
        *sums[i] = float_sum(product[i] + (call.accumulate ? bits_as<float>(*sums[i]) : 0));
}

template <class T>
void store_panel(const wgmma_call &call, unsigned panel, const T (*products)[PANEL]) {
    for (unsigned thread = 0; thread < THREADS; thread++) {
        const T *const low = &products[thread / 32 * 16 + thread % 32 / 4][thread % 4 * 2],
                       *const high = low + 8 * PANEL;
        void *const *d = call.d[thread] + panel * 4;
        uint32_t *const sums[4] = {(uint32_t *)d[0], (uint32_t *)d[1], (uint32_t *)d[2],
                                   (uint32_t *)d[3]};
        store(call, sums, low, high);
    }
}

/* The common case, fast. */
void add_panel(unsigned panel, const int32_t (*products)[PANEL]) {
    for (unsigned thread = 0; thread < THREADS; thread++) {
        const int32_t *const low = &products[thread / 32 * 16 + thread % 32 / 4][thread % 4 * 2],
                             *const high = low + 8 * PANEL;
        uint32_t *const d = space.contiguous[thread] + panel * 4;
        d[0] += (uint32_t)low[0];
        d[1] += (uint32_t)low[1];
        d[2] += (uint32_t)high[0];
        d[3] += (uint32_t)high[1];
    }
}

} // namespace

wgmma_operand operand_a(const wgmma_call &call) {
    return {call.a, call.a_registers ? 0u : (unsigned)ROWS, call.shape.transpose_a};
}
wgmma_operand operand_b(const wgmma_call &call) {
    return {call.b, call.shape.n, call.shape.transpose_b};
}

void multiply_warpgroup(const wgmma_call &call) {
    const ptx::wgmma_shape &shape = call.shape;
    if (call.a_registers)
        gather_registers(call.a_registers, space.a);
    else
        read_operand(call, operand_a(call), space.a);
    read_operand(call, operand_b(call), space.b);
    if (shape.negate_a)
        negate(space.a, ROWS);
    if (shape.negate_b)
        negate(space.b, shape.n);

    const bool integers = is_integer(shape.a_type);
    bool fast = integers && call.accumulate && !shape.saturate;
    for (unsigned thread = 0; fast && thread < THREADS; thread++)
        fast = (space.contiguous[thread] = find_contiguous(call.d[thread], shape.n / 2)) != nullptr;
    if (!integers)
        halves_to_doubles(shape.a_type, ROWS * WORDS, space.a[0], space.a_values);
    for (unsigned panel = 0; panel < shape.n / PANEL; panel++) {
        for (unsigned column = 0; column < PANEL; column++)
            for (unsigned i = 0; i < WORDS; i++)
                space.panel[i][column] = space.b[panel * PANEL + column][i];
        if (!integers) {
            multiply_halves(shape.b_type, ROWS, WORDS, space.a_values, space.panel,
                            space.double_sums);
            store_panel(call, panel, space.double_sums);
            continue;
        }
        multiply_integers(shape.a_type, shape.b_type, ROWS, WORDS, space.a[0], space.panel,
                          space.integer_sums);
        if (fast)
            add_panel(panel, space.integer_sums);
        else
            store_panel(call, panel, space.integer_sums);
    }
}

} // namespace cudacpu
