/* wgmma.cpp - wgmma: the 128 threads of a warpgroup start a product together, and go on. Each
 * thread comes when it comes: the product can be done when the last one has come, early at once,
 * late when one of them waits for its group. A warpgroup's products are done in order. */
#include "cudacpu/half_bits.h"
#include "cudacpu/ptx.h"
#include "cudacpu/shared_address.h"
#include "cudacpu/warp_matrix.h"
#include "matrix_product.h"
#include "runtime/host/observer.h"
#include "runtime/scheduler/block.h"
#include "wgmma_operand.h"
#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

namespace cudacpu {

namespace {

enum { WARPGROUP = 128, MOST_SUMS = 128, WARPGROUPS = MAX_THREADS / WARPGROUP };

/* What the instruction says. */
struct product {
    ptx::wgmma_shape shape;
    bool a_in_registers, accumulate;
    uint64_t a, b; /* descriptors */
};

/* A product that the threads of a warpgroup have started. */
struct operation : product {
    uint32_t a_registers[WARPGROUP][4]; /* of each thread */
    char *first[WARPGROUP];             /* of each thread's n / 2 sums, by address */
    bool follow[WARPGROUP];             /* they are an array; else sums has their addresses */
    void *sums[WARPGROUP][MOST_SUMS];
    site where;
    unsigned come, come_of_warp[4]; /* threads */
};

/* ---- the arithmetic: m64nN with 32 bytes along k; nothing waits ---- */

enum { ROWS = 64, WORDS = 8, MOST_COLUMNS = 256 };

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

/* The place of 16 bytes at this shared address. */
const char *find_segment(const operation &o, uint32_t address) {
    return static_cast<const char *>(ptx::from_shared(address, &o.where));
}

/* Of every vector its words along k. */
void read_operand(const operation &o, const wgmma_operand &operand, uint32_t *addresses,
                  uint32_t (*to)[WORDS]) {
    const unsigned count = segment_addresses(operand, addresses);
    /* One look where all lies together, else one for each segment. */
    const uint32_t first = *std::min_element(addresses, addresses + count),
                   last = *std::max_element(addresses, addresses + count);
    const char *const memory = find_segment(o, first);
    const bool together = find_segment(o, last) - memory == (ptrdiff_t)(last - first);
    for (unsigned i = 0; i < count; i++) {
        const void *from =
            together ? memory + (addresses[i] - first) : find_segment(o, addresses[i]);
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
    for (unsigned thread = 0; thread < WARPGROUP; thread++) {
        const unsigned row = thread / 32 * 16 + thread % 32 / 4, place = thread % 4;
        for (unsigned i = 0; i < 4; i++)
            to[row + i % 2 * 8][i / 2 * 4 + place] = registers[thread][i];
    }
}

void negate(uint32_t (*words)[WORDS], unsigned vectors) {
    for (unsigned i = 0; i < vectors * WORDS; i++)
        words[i / WORDS][i % WORDS] ^= 0x80008000;
}

/* Where a thread's sums begin, of n in a row: two neighbours, then two in the row 8 below; the next
 * are 8 later. */
unsigned first_sum(unsigned thread, unsigned n) {
    return (thread / 32 * 16 + thread % 32 / 4) * n + thread % 4 * 2;
}

uint32_t *find_sum(const operation &o, unsigned thread, unsigned i) {
    return o.follow[thread] ? (uint32_t *)o.first[thread] + i : (uint32_t *)o.sums[thread][i];
}

uint32_t add(int32_t product, uint32_t c, bool saturate) {
    return integer_sum(product, c, saturate);
}
uint32_t add(double product, uint32_t c, bool) { return float_sum(product + bits_as<float>(c)); }

template <class T> void store(const operation &o, unsigned thread, const T *low) {
    const T *const high = low + 8 * o.shape.n;
    for (unsigned i = 0; i < o.shape.n / 2; i++) {
        uint32_t *const sum = find_sum(o, thread, i);
        const T product = (i & 2 ? high : low)[i / 4 * 8 + i % 2];
        *sum = add(product, o.accumulate ? *sum : 0, o.shape.saturate);
    }
}

/* Adds to a thread's array of sums. */
ALSO_WITH("avx2")
void add_to_array(char *first, unsigned n, const int32_t *low) {
    typedef uint64_t pairs __attribute__((vector_size(16), aligned(4)));
    typedef uint32_t sums_of_8 __attribute__((vector_size(16), aligned(4)));
    sums_of_8 *sums = (sums_of_8 *)first;
    for (unsigned column = 0; column < n; column += PANEL, sums++) {
        pairs product;
        memcpy(&product, low + column, 8);
        memcpy((char *)&product + 8, low + 8 * n + column, 8);
        *sums += (sums_of_8)product;
    }
}

/* Of the sums of all panels, n in a row. */
void multiply_panels(const operation &o, workspace &space) {
    const ptx::wgmma_shape &shape = o.shape;
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

/* d = a b (+ d). Exact and inexact as the sums of mma.sync (matrix_product.h), k being 32 or 16. */
void multiply_warpgroup(const operation &o) {
    const ptx::wgmma_shape &shape = o.shape;
    workspace &space = get_workspace();
    if (o.a_in_registers)
        gather_registers(o.a_registers, space.a);
    else
        read_operand(o, {o.a, ROWS, shape.transpose_a}, space.addresses, space.a);
    read_operand(o, {o.b, shape.n, shape.transpose_b}, space.addresses, space.b);
    if (shape.negate_a)
        negate(space.a, ROWS);
    if (shape.negate_b)
        negate(space.b, shape.n);
    multiply_panels(o, space);

    for (unsigned thread = 0; thread < WARPGROUP; thread++) {
        const unsigned first = first_sum(thread, shape.n);
        if (!is_integer(shape.a_type))
            store(o, thread, space.doubles + first);
        else if (o.follow[thread] && o.accumulate && !shape.saturate)
            add_to_array(o.first[thread], shape.n, space.integers + first);
        else
            store(o, thread, space.integers + first);
    }
}

/* ---- the threads of a warpgroup ---- */

struct warpgroup {
    uint64_t block = 0; /* of the worker's blocks, which one it belongs to */
    size_t first = 0;   /* number of the first operation that is not done */
    site last_done = {"", 0};
    std::deque<std::unique_ptr<operation>> operations; /* from there on */
    std::vector<std::unique_ptr<operation>> spare;
    struct {
        size_t issued, waited;     /* numbers of operations: the next, the first not waited for */
        std::deque<size_t> groups; /* of each open group: the operation after its last */
    } thread[WARPGROUP];
    operation &at(size_t number) { return *operations[number - first]; }
    size_t next() const { return first + operations.size(); }
};
thread_local std::unique_ptr<warpgroup[]> all_warpgroups;

warpgroup &warpgroup_of(unsigned thread) {
    if (!all_warpgroups)
        all_warpgroups.reset(new warpgroup[WARPGROUPS]);
    warpgroup &g = all_warpgroups[thread / WARPGROUP];
    if (g.block != self->blocks_begun) {
        g.block = self->blocks_begun;
        g.first = 0;
        g.operations.clear();
        for (auto &t : g.thread) {
            t.issued = t.waited = 0;
            t.groups.clear();
        }
    }
    return g;
}

bool is_same(const product &p, const product &q) {
    const ptx::wgmma_shape &a = p.shape, &b = q.shape;
    return a.n == b.n && a.a_type == b.a_type && a.b_type == b.b_type && a.saturate == b.saturate &&
           a.negate_a == b.negate_a && a.negate_b == b.negate_b && a.transpose_a == b.transpose_a &&
           a.transpose_b == b.transpose_b && p.a == q.a && p.b == q.b &&
           p.a_in_registers == q.a_in_registers && p.accumulate == q.accumulate;
}

/* "warp 2 of the warpgroup", of those that have not come. */
std::string missing_warp(const operation &o) {
    unsigned warp = 0;
    while (warp < 3 && o.come_of_warp[warp] == 32)
        warp++;
    return text("warp ", warp, " of the warpgroup");
}

/* A sum whose function has returned would be written into another's variables. A fiber that is
 * switched off knows its stack's end; the one that runs is called from there. */
void check_frames(const warpgroup &g, const operation &o) {
#ifndef CUDACPU_FIBER_SETJMP
    const unsigned first = (unsigned)(&g - all_warpgroups.get()) * WARPGROUP;
    const worker *w = self;
    for (unsigned i = 0; i < WARPGROUP; i++) {
        const fiber *f = w->by_thread[first + i];
        const char *end = f == cudacpu_current ? (const char *)__builtin_frame_address(0)
                                               : (const char *)f->saved.sp;
        if (o.first[i] >= w->stacks && o.first[i] < end && end - o.first[i] < 1 << 16)
            fail_thread("unwaited wgmma", &o.where, "thread ", index_of(w, first + i),
                        " has left the function with the sums of the wgmma before a "
                        "wgmma.wait_group, of the wgmma");
    }
#else
    (void)g, (void)o;
#endif
}

void perform_until(warpgroup &g, size_t number) {
    while (g.first < number) {
        const operation &o = g.at(g.first);
        check_frames(g, o);
        multiply_warpgroup(o);
        g.last_done = o.where;
        g.spare.push_back(std::move(g.operations.front()));
        g.operations.pop_front();
        g.first++;
    }
}

/* A thread that ends is missing in what the others have begun, or has begun what it does not wait
 * for. */
void check_end(unsigned thread) {
    if (thread / WARPGROUP * WARPGROUP + WARPGROUP > self->threads)
        return;
    warpgroup &g = warpgroup_of(thread);
    const auto &t = g.thread[thread % WARPGROUP];
    const std::string warp = text("warp ", thread % WARPGROUP / 32);
    if (t.issued < g.next())
        fail_thread("divergent warpgroup", &g.at(t.issued).where,
                    warp + " of the warpgroup ended and did not execute the wgmma");
    if (t.waited < t.issued)
        fail_thread("unwaited wgmma",
                    g.first < t.issued ? &g.at(std::max(g.first, t.waited)).where : &g.last_done,
                    "ended before a wgmma.wait_group for the wgmma");
}

/* The operation that this thread executes now; the first one to come makes it. */
operation &join_operation(warpgroup &g, size_t number, const product &p, const site *where) {
    if (number == g.next()) {
        if (g.spare.empty())
            g.spare.emplace_back(new operation);
        g.operations.push_back(std::move(g.spare.back()));
        g.spare.pop_back();
        operation &o = *g.operations.back();
        static_cast<product &>(o) = p;
        o.where = *where;
        o.come = 0;
        memset(o.come_of_warp, 0, sizeof o.come_of_warp);
        return o;
    }
    operation &o = g.at(number);
    if (!same_place(&o.where, where))
        fail_thread("divergent warpgroup", where,
                    "executes a wgmma while other threads of its warpgroup execute the one at ",
                    o.where, ",");
    if (!is_same(o, p))
        fail_thread("divergent warpgroup", where,
                    "has other descriptors than other threads of its warpgroup in the wgmma");
    return o;
}

struct wait {
    warpgroup *group;
    size_t number; /* of the operation after the last that it waits for */
};

bool have_all_come(void *argument) {
    const wait *w = static_cast<const wait *>(argument);
    return w->group->first >= w->number || w->group->at(w->number - 1).come == WARPGROUP;
}

std::string describe_warpgroup(void *argument) {
    const wait *w = static_cast<const wait *>(argument);
    size_t number = w->group->first;
    while (w->group->at(number).come == WARPGROUP)
        number++;
    const operation &o = w->group->at(number);
    const std::string message = missing_warp(o) + " did not execute the wgmma";
    tell(&observer::fault, "divergent warpgroup", o.where.file, o.where.line, message.c_str());
    return text("the warpgroup: ", message, " at ", o.where);
}

/* The warpgroup of the running thread, which must be whole. */
warpgroup &my_warpgroup(const char *instruction, const site *where) {
    find_fiber(where);
    const unsigned thread = cudacpu_current->thread, first = thread / WARPGROUP * WARPGROUP;
    if (first + WARPGROUP > self->threads)
        fail_thread("divergent warpgroup", where, instruction,
                    " needs the 128 threads of a warpgroup; from ", first, " on the block has ",
                    self->threads - first);
    self->thread_ends = check_end;
    return warpgroup_of(thread);
}

/* The running thread has come to a wgmma: its operation, which lacks its sums. */
operation &come(warpgroup &g, const product &p, const uint32_t *a_registers, const site *where) {
    const unsigned thread = cudacpu_current->thread, i = thread % WARPGROUP;
    const bool *const done = self->done + thread - i;
    const void *const ended = self->ended ? memchr(done, true, WARPGROUP) : nullptr;
    if (ended)
        fail_thread("divergent warpgroup", where, "warp ",
                    (static_cast<const bool *>(ended) - done) / 32,
                    " of the warpgroup ended and did not execute the wgmma");
    operation &o = join_operation(g, g.thread[i].issued++, p, where);
    if (a_registers)
        memcpy(o.a_registers[i], a_registers, sizeof o.a_registers[i]);
    o.come++;
    o.come_of_warp[i / 32]++;
    return o;
}

void perform_early(warpgroup &g, const operation &o) {
    if (o.come == WARPGROUP && !happens_late_here())
        perform_until(g, g.thread[cudacpu_current->thread % WARPGROUP].issued);
}

} // namespace

void ptx::wgmma(const wgmma_shape &shape, void *const *d, const uint32_t *a_registers, uint64_t a,
                uint64_t b, bool accumulate, const site *where) {
    void *const caller = PROGRAM_CALLER;
    warpgroup &g = my_warpgroup("wgmma", where);
    const unsigned i = cudacpu_current->thread % WARPGROUP;
    operation &o = come(g, {shape, a_registers != nullptr, accumulate, a, b}, a_registers, where);
    memcpy(o.sums[i], d, shape.n / 2 * sizeof *d);
    o.first[i] = static_cast<char *>(*std::min_element(d, d + shape.n / 2));
    o.follow[i] = false;
    tell(&observer::wgmma_issued,
         {&shape, d, a_registers != nullptr, a, b, accumulate, caller, where}, o.come == WARPGROUP);
    perform_early(g, o);
}

void ptx::wgmma_of_array(const wgmma_shape &shape, void *sums, const uint32_t *a_registers,
                         uint64_t a, uint64_t b, bool accumulate, const site *where) {
    warpgroup &g = my_warpgroup("wgmma", where);
    const unsigned i = cudacpu_current->thread % WARPGROUP;
    operation &o = come(g, {shape, a_registers != nullptr, accumulate, a, b}, a_registers, where);
    o.first[i] = static_cast<char *>(sums);
    o.follow[i] = true;
    perform_early(g, o);
}

void ptx::wgmma_fence(const site *where) {
    my_warpgroup("wgmma.fence", where);
    tell(&observer::wgmma_fenced);
}

void ptx::wgmma_commit_group(const site *where) {
    warpgroup &g = my_warpgroup("wgmma.commit_group", where);
    auto &t = g.thread[cudacpu_current->thread % WARPGROUP];
    t.groups.push_back(t.issued);
    tell(&observer::wgmma_committed);
}

void ptx::wgmma_wait_group(uint32_t newest, const site *where) {
    warpgroup &g = my_warpgroup("wgmma.wait_group", where);
    auto &t = g.thread[cudacpu_current->thread % WARPGROUP];
    wait w = {&g, t.waited};
    for (; t.groups.size() > newest; t.groups.pop_front())
        w.number = t.groups.front();
    wait_until(have_all_come, &w, where, describe_warpgroup);
    perform_until(g, w.number);
    t.waited = w.number;
    tell(&observer::wgmma_waited, newest, where);
}

} // namespace cudacpu
