/* wgmma_math.cpp - the arithmetic of wgmma. Each of the four warps has 16 rows of the sums, and in
 * these what mma.sync's lanes have, for every 8 columns. */
#include "wgmma_math.h"
#include "cudacpu/half_bits.h"
#include "cudacpu/warp_matrix.h"
#include "matrix_product.h"
#include "newer_cpus.h"
#include <algorithm>
#include <cstring>
#include <memory>

namespace cudacpu {

namespace {

enum { THREADS = 128, ROWS = 64, WORDS = 8, MOST_COLUMNS = 256 };

/* Too large for the stack of a CUDA thread. Only one at a time is in here on an OS thread. */
struct workspace {
    uint32_t a[ROWS][WORDS], b[MOST_COLUMNS][WORDS], panel[WORDS][PANEL];
    uint32_t addresses[MOST_SEGMENTS];
    double a_values[ROWS * 2 * WORDS];
    union { /* all sums, row by row */
        int32_t integers[ROWS * MOST_COLUMNS];
        double doubles[ROWS * MOST_COLUMNS];
    };
};
workspace &get_workspace() {
    thread_local std::unique_ptr<workspace> own;
    if (!own)
        own.reset(new workspace);
    return *own;
}

/* Of every vector its words along k. */
void read_operand(const wgmma_call &call, const wgmma_operand &operand, uint32_t *addresses,
                  uint32_t (*to)[WORDS]) {
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

void gather_registers(const uint32_t (*registers)[4], uint32_t (*to)[WORDS]) {
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

/* Where a thread's sums of a row and of the row 8 below begin; the next two of it are 8 later. */
template <class T> struct products {
    const T *low, *high;
    T of_register(unsigned i) const {
        const T *const row = i & 2 ? high : low;
        return row[i / 4 * 8 + i % 2];
    }
};
template <class T> products<T> products_of(const T *sums, unsigned thread, unsigned n) {
    const T *const low = sums + (thread / 32 * 16 + thread % 32 / 4) * n + thread % 4 * 2;
    return {low, low + 8 * n};
}

uint32_t *find_sum(const wgmma_call &call, unsigned thread, unsigned i) {
    return call.follow[thread] ? (uint32_t *)call.first[thread] + i : (uint32_t *)call.d[thread][i];
}

void store(const wgmma_call &call, unsigned thread, products<int32_t> p) {
    for (unsigned i = 0; i < call.shape.n / 2; i++) {
        uint32_t *const sum = find_sum(call, thread, i);
        *sum = integer_sum(p.of_register(i), call.accumulate ? *sum : 0, call.shape.saturate);
    }
}
void store(const wgmma_call &call, unsigned thread, products<double> p) {
    for (unsigned i = 0; i < call.shape.n / 2; i++) {
        uint32_t *const sum = find_sum(call, thread, i);
        *sum = float_sum(p.of_register(i) + (call.accumulate ? bits_as<float>(*sum) : 0));
    }
}

/* Adds to a thread's array of sums. */
ALSO_WITH("avx2")
void add_to_array(char *first, unsigned n, const int32_t *low, const int32_t *high) {
    typedef uint64_t pairs __attribute__((vector_size(16), aligned(4)));
    typedef uint32_t sums_of_8 __attribute__((vector_size(16), aligned(4)));
    sums_of_8 *sums = (sums_of_8 *)first;
    for (unsigned column = 0; column < n; column += PANEL, sums++) {
        pairs product;
        memcpy(&product, low + column, 8);
        memcpy((char *)&product + 8, high + column, 8);
        *sums += (sums_of_8)product;
    }
}

/* Of the sums of all panels, n in a row. */
void multiply_panels(const wgmma_call &call, workspace &space) {
    const ptx::wgmma_shape &shape = call.shape;
    const bool integers = is_integer(shape.a_type);
    if (!integers)
        halves_to_doubles(shape.a_type, ROWS * WORDS, space.a[0], space.a_values);
    for (unsigned column = 0; column < shape.n; column += PANEL) {
        for (unsigned j = 0; j < PANEL; j++)
            for (unsigned i = 0; i < WORDS; i++)
                space.panel[i][j] = space.b[column + j][i];
        if (integers)
            multiply_integers(shape.a_type, shape.b_type, ROWS, WORDS, space.a[0], space.panel,
                              space.integers + column, shape.n);
        else
            multiply_halves(shape.b_type, ROWS, WORDS, space.a_values, space.panel,
                            space.doubles + column, shape.n);
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
    workspace &space = get_workspace();
    if (call.a_registers)
        gather_registers(call.a_registers, space.a);
    else
        read_operand(call, operand_a(call), space.addresses, space.a);
    read_operand(call, operand_b(call), space.addresses, space.b);
    if (shape.negate_a)
        negate(space.a, ROWS);
    if (shape.negate_b)
        negate(space.b, shape.n);
    multiply_panels(call, space);

    for (unsigned thread = 0; thread < THREADS; thread++) {
        if (!is_integer(shape.a_type)) {
            store(call, thread, products_of(space.doubles, thread, shape.n));
            continue;
        }
        const products<int32_t> p = products_of(space.integers, thread, shape.n);
        if (call.follow[thread] && call.accumulate && !shape.saturate)
            add_to_array(call.first[thread], shape.n, p.low, p.high);
        else
            store(call, thread, p);
    }
}

} // namespace cudacpu
