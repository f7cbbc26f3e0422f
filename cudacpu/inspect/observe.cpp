/* observe.cpp - watches every access of a kernel. The kernel's file is compiled with -O0
 * -fsanitize=thread: the compiler then calls a function of the name __tsan_... for each load and
 * store, and here those functions are ours. No sanitizer runtime is linked.
 *
 * Traffic. The threads of a warp run one after another, so each access is logged by instruction and
 * lane; when the warp has reached a barrier or its end, the k-th accesses of its lanes by one
 * instruction are one request. Races. A clock ticks at each barrier. Two accesses of a word are
 * ordered when a barrier of their block (or of their warp) lies between; if not, and they are of
 * two threads and one is a write, they race. So a race is found whatever the order in which the
 * threads happen to run. */
#include "observe.h"
#include <algorithm>
#include <atomic>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

extern "C" char __executable_start, etext, _end; /* by the linker: the program's own image */

namespace cudacpu {

observations &observed() {
    static observations *all = new observations();
    return *all;
}

namespace {

/* ---- what is known of memory ---- */

/* One access that may race: who, by which instruction, when. */
struct visit {
    uint32_t block, clock;
    uint16_t thread, bytes; /* bytes of the word, as a mask */
    uint32_t instruction;
};
/* Where memory is shared between threads: the last write, and two reads by different threads since.
 */
struct word_history {
    visit writer, reader, second;
};

/* state of a word: the bytes that were written, and what this launch did to it */
enum { WRITTEN_BYTES = 15, WRITTEN_NOW = 16, READ_NOW = 32, READ_BY_BLOCKS = 64 };

struct area {
    std::string name;
    uintptr_t base, bytes;
    size_t pitch, width;
    std::atomic<uint8_t> *state;
    word_history *history;
    size_t words;
    bool dirty, reported;
    uintptr_t allocated_at;
};

template <class T> T *zeroed(size_t count) {
    void *p = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "inspect: no memory to observe %zu words\n", count);
        end_process(1);
    }
    return static_cast<T *>(p);
}

std::map<uintptr_t, area *> areas; /* by base; changed between launches alone */

enum memory_class { NOWHERE, GLOBAL, SHARED, SYMBOL, IGNORED };

/* An instruction that accesses memory, as one OS thread sees it. One that accesses several kinds of
 * memory, in a function that is called for each, is several. */
struct instruction {
    uintptr_t pc;
    unsigned size;
    bool write, atomic;
    memory_class what, logged; /* the memory that it accessed last; the one that it counts, NOWHERE
                                  before the first */
    instruction *other;        /* for another memory: a ring */
    uintptr_t base, bytes;     /* of the memory that it accessed last */
    area *where;
    uint32_t number;
    uint64_t *log[32]; /* addresses, of the warp that runs */
    uint32_t count[32], capacity[32];
    bool logging;
    struct {
        intptr_t offset[32];
        unsigned lanes;
        uintptr_t start;
        traffic result;
        bool valid;
    } memo[4];
    std::vector<std::pair<area *, traffic>> counts; /* area NULL: shared, or a symbol */
};

/* Instructions have numbers, from 1, the same in every OS thread. */
const uint32_t MOST_INSTRUCTIONS = 1 << 16;
std::mutex numbering;
uint32_t numbers = 1;
uintptr_t numbered[MOST_INSTRUCTIONS];
bool numbered_atomic[MOST_INSTRUCTIONS];

const uint32_t LOG_LIMIT = 1u << 22;

struct eye {
    bool active;
    uint64_t block;
    uint32_t clock, block_clock, warp_clock[32];
    unsigned warp, threads;
    instruction **by_pc;
    std::vector<instruction *> all, logging;
    uint64_t *executed;
    uint64_t barriers, blocks;
    unsigned phase; /* barriers of this block */
    const char *dynamic, *stacks;
    uintptr_t shared_area,
        shared_area_bytes; /* all that dynamic shared memory may lie in, guards included */
    size_t dynamic_bytes, stacks_bytes;
    uintptr_t tls, tls_bytes;
    word_history *shared_history;
    uint8_t *shared_state;
    uint32_t *shared_clock;
    unsigned short order[1024];
    uint64_t random;
};
__thread eye *mine;
std::mutex eyes_lock;
std::vector<eye *> eyes;

const kernel *running_kernel;
dim3 running_grid, running_block;
std::atomic<uint64_t> blocks_done, blocks_observed;
std::atomic<unsigned> stride; /* every how manyth block is observed */
uint64_t blocks_all;
double began, told, work_began;
uintptr_t text, text_bytes, launcher_stack, launcher_stack_bytes;

double now() {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of all threads of this process. */
double work_seconds() {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const coordinates &at_work() { return here(); }
inline unsigned thread_number() {
    const coordinates &c = at_work();
    return c.thread.x + c.block_dim.x * (c.thread.y + c.block_dim.y * c.thread.z);
}

/* ---- faults ---- */

std::string triple(unsigned x, unsigned y, unsigned z) {
    std::string s = "(" + std::to_string(x) + "," + std::to_string(y);
    return s + (z ? "," + std::to_string(z) : "") + ")";
}
std::string thread_name(unsigned t) {
    dim3 b = running_block;
    return triple(t % b.x, t / b.x % b.y, t / b.x / b.y);
}
std::string block_name(uint64_t number) {
    dim3 g = running_grid;
    return triple((unsigned)(number % g.x), (unsigned)(number / g.x % g.y),
                  (unsigned)(number / g.x / g.y));
}

/* One line for each kind, place and other place; more of the same are counted. */
void record(fault f) {
    std::lock_guard<std::mutex> guard(observed().lock);
    for (auto &known : observed().faults)
        if (known.kind == f.kind && known.file == f.file && known.line == f.line &&
            known.kernel == f.kernel && (f.line || known.message == f.message)) {
            known.count++;
            return;
        }
    f.count = 1;
    observed().faults.push_back(f);
}

/* Faults of one instruction beyond the first of a kind are only counted: finding the place of each
 * would take hours. */
struct seen {
    const char *kind;
    uintptr_t pc;
    uint64_t count;
};
std::mutex seen_lock;
std::vector<seen> seen_faults;

void access_fault(const char *kind, const instruction *s, uintptr_t address,
                  const std::string &message, const std::string &other = "") {
    {
        std::lock_guard<std::mutex> guard(seen_lock);
        for (auto &f : seen_faults)
            if (f.pc == s->pc && strcmp(f.kind, kind) == 0) {
                f.count++;
                return;
            }
        seen_faults.push_back({kind, s->pc, 1});
    }
    place p = place_of(s->pc, true);
    char hex[32];
    snprintf(hex, sizeof hex, "0x%zx", (size_t)address);
    record({kind, p.file, p.line, running_kernel ? running_kernel->name : "",
            block_name(mine->block), thread_name(thread_number()), hex, message, other, 1});
}

std::string describe(const visit &v, bool write) {
    place p = place_of(numbered[v.instruction], true);
    return (write ? "the write of thread " : "the read of thread ") + thread_name(v.thread) +
           " of block " + block_name(v.block) + " at " + p.file + ":" + std::to_string(p.line);
}

/* "element 5 of row_a" is not known here: say the byte, and the row where there is a pitch. */
std::string position(const area *a, uintptr_t address) {
    size_t offset = address - a->base;
    if (a->pitch >= a->bytes)
        return "byte " + std::to_string(offset) + " of " + a->name + " (" +
               std::to_string(a->bytes) + " bytes)";
    std::string text = "row " + std::to_string(offset / a->pitch) + ", byte " +
                       std::to_string(offset % a->pitch) + " of " + a->name;
    if (offset % a->pitch >= a->width)
        text += ", in the padding after a row of " + std::to_string(a->width) + " bytes";
    return text;
}

/* ---- grouping the lanes of a warp ---- */

traffic group_global(const uintptr_t *address, const unsigned char *lane, unsigned lanes,
                     unsigned size) {
    traffic t;
    t.requests = 1;
    t.words = (uint64_t)lanes * ((size + 3) / 4);
    uintptr_t sector[64], line[64];
    unsigned sectors = 0, lines = 0;
    auto add = [](uintptr_t *set, unsigned &count, uintptr_t value) {
        for (unsigned i = count; i-- > 0;)
            if (set[i] == value)
                return;
        set[count++] = value;
    };
    for (unsigned i = 0; i < lanes; i++) {
        add(sector, sectors, address[i] / 32);
        add(line, lines, address[i] / 128);
        if ((address[i] + size - 1) / 32 != address[i] / 32) {
            add(sector, sectors, (address[i] + size - 1) / 32);
            add(line, lines, (address[i] + size - 1) / 128);
        }
    }
    t.sectors = sectors;
    t.lines = lines;
    /* Compute capability 1.1: thread k of a half-warp on word k of an aligned segment of 16 words,
     * or one by one. */
    for (unsigned half = 0; half < 2; half++) {
        unsigned active = 0;
        bool coalesced = size >= 4;
        uintptr_t segment = 0;
        for (unsigned i = 0; i < lanes; i++) {
            if (lane[i] / 16 != half)
                continue;
            uintptr_t first = address[i] - (lane[i] % 16u) * size;
            if (!active++)
                segment = first;
            coalesced = coalesced && first == segment && first % (16 * size) == 0;
        }
        if (active)
            t.bytes_1_1 += coalesced ? 16 * size : active * 32;
    }
    return t;
}

/* 32 banks of 4 bytes; a wavefront serves one word of each bank to any number of lanes. Wider
 * accesses go by half or quarter warps. */
traffic group_shared(const uintptr_t *address, unsigned lanes, unsigned size) {
    traffic t;
    t.requests = 1;
    unsigned words = (size + 3) / 4;
    t.words = (uint64_t)lanes * words;
    unsigned each = 32 / words;
    for (unsigned from = 0; from < lanes; from += each) {
        uintptr_t distinct[32][32];
        unsigned depth[32] = {0}, most = 1;
        for (unsigned i = from; i < lanes && i < from + each; i++)
            for (unsigned w = 0; w < words; w++) {
                uintptr_t word = address[i] / 4 + w;
                unsigned bank = word % 32, d = 0;
                while (d < depth[bank] && distinct[bank][d] != word)
                    d++;
                if (d == depth[bank])
                    distinct[bank][depth[bank]++] = word;
                most = std::max(most, depth[bank]);
            }
        t.wavefronts += most;
        t.ideal++;
    }
    return t;
}

traffic &counts_of(instruction *s, area *a) {
    for (auto &c : s->counts)
        if (c.first == a)
            return c.second;
    s->counts.push_back({a, traffic()});
    return s->counts.back().second;
}

area *find_area(uintptr_t address) {
    auto next = areas.upper_bound(address);
    if (next == areas.begin())
        return nullptr;
    area *a = std::prev(next)->second;
    return address - a->base < a->bytes ? a : nullptr;
}

FILE *trace; /* CUDACPU_INSPECT_TRACE=FILE: each request of block 0, a line for each lane */

void trace_request(const eye *e, const instruction *s, uint32_t k, const uintptr_t *address,
                   const unsigned char *lane, unsigned lanes) {
    const area *a = s->logged == GLOBAL ? find_area(address[0]) : nullptr;
    const char *memory = a ? a->name.c_str() : s->logged == SHARED ? "shared" : "symbol";
    const char *kind = s->atomic ? "atomic" : s->write ? "store" : "load";
    const size_t pitch = a && a->pitch < a->bytes ? a->pitch : 0;
    for (unsigned i = 0; i < lanes; i++)
        fprintf(trace, "\"%s\",%u,%u,%d,%u,%u,%s,%s,%zu,%zu\n", running_kernel->name, e->warp,
                e->phase, place_of(s->pc, true).line, k, lane[i], memory, kind,
                (size_t)(address[i] - (a ? a->base : s->base)), pitch);
}

/* The logs of the warp that ran become requests. */
void close_warp(eye *e) {
    for (instruction *s : e->logging) {
        uint32_t most = *std::max_element(s->count, s->count + 32);
        bool global = s->logged == GLOBAL;
        for (uint32_t k = 0; k < most; k++) {
            uintptr_t address[32];
            unsigned char lane[32];
            unsigned lanes = 0;
            for (unsigned l = 0; l < 32; l++)
                if (s->count[l] > k) {
                    address[lanes] = s->log[l][k];
                    lane[lanes++] = (unsigned char)l;
                }
            if (__builtin_expect(trace != nullptr && e->block == 0, 0))
                trace_request(e, s, k, address, lane, lanes);
            /* The same pattern, shifted by whole lines (in shared memory: by anything), costs the
             * same. */
            uintptr_t start = address[0];
            auto &memo = s->memo[global ? start / 32 % 4 : 0];
            bool same = memo.valid && lanes == 32 && memo.lanes == 32 &&
                        (!global || (start - memo.start) % 128 == 0) &&
                        (global || (start - memo.start) % 4 == 0);
            if (same) {
                intptr_t difference = 0;
                for (unsigned i = 0; i < 32; i++)
                    difference |= (intptr_t)(address[i] - start) ^ memo.offset[i];
                same = difference == 0;
            }
            if (!same) {
                memo.result = global ? group_global(address, lane, lanes, s->size)
                                     : group_shared(address, lanes, s->size);
                memo.lanes = lanes;
                memo.start = start;
                memo.valid = true;
                for (unsigned i = 0; i < lanes; i++)
                    memo.offset[i] = (intptr_t)(address[i] - start);
            }
            area *a = nullptr;
            if (global)
                a = s->where && start - s->where->base < s->where->bytes ? s->where
                                                                         : find_area(start);
            counts_of(s, a) += memo.result;
        }
        memset(s->count, 0, sizeof s->count);
        s->logging = false;
    }
    e->logging.clear();
}

/* ---- one access ---- */

instruction *new_instruction(eye *e, uintptr_t pc, unsigned size, bool write, bool atomic) {
    instruction *s = new instruction();
    s->pc = pc;
    s->size = size;
    s->write = write;
    s->atomic = atomic;
    s->other = s;
    {
        std::lock_guard<std::mutex> guard(numbering);
        for (uint32_t i = 1; i < numbers && !s->number; i++)
            if (numbered[i] == pc)
                s->number = i;
        if (!s->number) {
            if (numbers == MOST_INSTRUCTIONS) {
                fprintf(stderr, "inspect: more than %u instructions that access memory\n",
                        MOST_INSTRUCTIONS);
                end_process(1);
            }
            s->number = numbers++;
            numbered[s->number] = pc;
            numbered_atomic[s->number] = atomic;
        }
    }
    e->all.push_back(s);
    return s;
}

/* Reports an access past or before [base, base + bytes) and lets it happen, so that the kernel goes
 * on. */
void outside(instruction *s, uintptr_t address, unsigned size, uintptr_t base, size_t bytes,
             const std::string &name) {
    bool past = address + size > base + bytes;
    size_t distance = past ? address + size - base - bytes : base - address;
    access_fault("out of bounds", s, address,
                 std::string(s->write ? "wrote " : "read ") + std::to_string(distance) + " bytes " +
                     (past ? "past" : "before") + " the " + std::to_string(bytes) + " bytes of " +
                     name);
    uintptr_t page = address & ~(uintptr_t)4095;
    mprotect((void *)page, ((address + size - 1) & ~(uintptr_t)4095) - page + 4096,
             PROT_READ | PROT_WRITE);
    s->what = NOWHERE;
    s->base = s->bytes = 0;
}

/* Which memory is it? Leaves its range in s. */
void locate(eye *e, instruction *s, uintptr_t address, unsigned size) {
    const uintptr_t coordinates_at = (uintptr_t)&cudacpu_coordinates_storage,
                    dynamic_at = (uintptr_t)&cudacpu_dynamic_shared;
    s->where = nullptr;
    if (address - (uintptr_t)e->stacks < e->stacks_bytes) {
        s->what = IGNORED, s->base = (uintptr_t)e->stacks, s->bytes = e->stacks_bytes;
    } else if (address - coordinates_at < sizeof cudacpu_coordinates_storage) {
        s->what = IGNORED, s->base = coordinates_at, s->bytes = sizeof cudacpu_coordinates_storage;
    } else if (address - dynamic_at < sizeof(char *)) {
        s->what = IGNORED, s->base = dynamic_at, s->bytes = sizeof(char *);
    } else if (address - e->shared_area < e->shared_area_bytes) {
        s->what = SHARED, s->base = (uintptr_t)e->dynamic, s->bytes = e->dynamic_bytes;
        if (address < s->base || address + size > s->base + s->bytes)
            outside(s, address, size, s->base, s->bytes, "dynamic shared memory");
    } else if (address - e->tls < e->tls_bytes) {
        s->what = SHARED, s->base = e->tls, s->bytes = e->tls_bytes;
    } else if (address >= (uintptr_t)&__executable_start && address < (uintptr_t)&_end) {
        s->what = SYMBOL, s->base = (uintptr_t)&__executable_start,
        s->bytes = (uintptr_t)&_end - s->base;
    } else if (const allocation *map = find_allocation((const void *)address)) {
        area *a = find_area((uintptr_t)map->data);
        s->what = GLOBAL, s->base = (uintptr_t)map->data, s->bytes = map->bytes, s->where = a;
        if (address < s->base || address + size > s->base + s->bytes)
            outside(s, address, size, s->base, s->bytes, a->name);
    } else if (address - launcher_stack < launcher_stack_bytes) {
        s->what = IGNORED, s->base = launcher_stack,
        s->bytes = launcher_stack_bytes; /* the kernel's arguments */
    } else {
        access_fault("out of bounds", s, address,
                     std::string(s->write ? "wrote" : "read") +
                         " an address that is neither device memory nor shared memory");
        s->what = NOWHERE, s->base = s->bytes = 0;
    }
}

/* s, which has just found out where it is, or the one of its ring that counts that memory. */
instruction *for_this_memory(eye *e, instruction *s) {
    instruction *found = s;
    if (s->logged != NOWHERE) {
        do
            found = found->other;
        while (found != s && found->logged != s->what);
        if (found == s) {
            found = new_instruction(e, s->pc, s->size, s->write, s->atomic);
            found->other = s->other;
            s->other = found;
        }
        found->what = s->what, found->base = s->base, found->bytes = s->bytes,
        found->where = s->where;
    }
    found->logged = s->what;
    return found;
}

uint8_t bytes_of_word(uintptr_t address, unsigned size) {
    return size >= 4 ? (uint8_t)WRITTEN_BYTES
                     : (uint8_t)(((1u << size) - 1) << (address & 3) & WRITTEN_BYTES);
}

/* Did v happen before all that this thread of block b does now? */
bool ordered(const eye *e, const visit &v, unsigned thread) {
    if (v.block != (uint32_t)e->block)
        return false;
    return v.thread == thread || v.clock < e->block_clock ||
           (v.thread / 32u == thread / 32 && v.clock < e->warp_clock[thread / 32]);
}
bool both_atomic(const instruction *s, const visit &v) {
    return s->atomic && numbered_atomic[v.instruction];
}

void race(const instruction *s, uintptr_t address, const char *memory, const visit &other,
          bool other_wrote) {
    access_fault(memory, s, address,
                 std::string(s->atomic  ? "this atomic access and "
                             : s->write ? "this write and "
                                        : "this read and ") +
                     describe(other, other_wrote) + " have no barrier between them",
                 describe(other, other_wrote));
}

void check_history(eye *e, const instruction *s, word_history *h, uintptr_t address, unsigned size,
                   unsigned thread, const char *memory, bool was_written, bool was_read) {
    uint8_t bytes = bytes_of_word(address, size);
    visit me = {(uint32_t)e->block, e->clock, (uint16_t)thread, bytes, s->number};
    if (was_written && (h->writer.bytes & bytes) && !ordered(e, h->writer, thread) &&
        !both_atomic(s, h->writer))
        race(s, address, memory, h->writer, true);
    if (s->write) {
        if (was_read) {
            if ((h->reader.bytes & bytes) && !ordered(e, h->reader, thread) &&
                !both_atomic(s, h->reader))
                race(s, address, memory, h->reader, false);
            else if (h->second.instruction && (h->second.bytes & bytes) &&
                     !ordered(e, h->second, thread) && !both_atomic(s, h->second))
                race(s, address, memory, h->second, false);
        }
        h->writer = me;
    }
    if (!s->write || s->atomic) {
        if (!was_read || ordered(e, h->reader, thread))
            h->reader = me;
        else
            h->second = me;
    }
}

/* One word of shared memory. Its history starts anew with each block: an older clock is older than
 * the block. */
void shared_word(eye *e, instruction *s, uintptr_t address, unsigned size, unsigned thread) {
    size_t offset = address - s->base;
    size_t i = s->base == e->tls ? offset / 4 : e->tls_bytes / 4 + offset / 4 + 1;
    word_history *h = &e->shared_history[i];
    uint8_t bytes = bytes_of_word(address, size);
    if (e->shared_clock[i] != (uint32_t)e->blocks) {
        e->shared_clock[i] = (uint32_t)e->blocks;
        e->shared_state[i] = 0;
        memset(h, 0, sizeof *h);
    }
    uint8_t state = e->shared_state[i];
    if (!s->write && __builtin_expect((state & bytes) != bytes, 0)) {
        access_fault("uninitialised read", s, address,
                     "reads shared memory that no thread of the block has written");
        e->shared_state[i] |= bytes;
    }
    /* the usual case: a read of what an earlier phase wrote, and two threads have read it since */
    if (!s->write && size == 4 && (state & READ_BY_BLOCKS) && h->second.clock == e->clock &&
        h->writer.clock < e->block_clock)
        return;
    check_history(e, s, h, address, size, thread, "shared race", state & WRITTEN_NOW,
                  state & READ_NOW);
    e->shared_state[i] |=
        s->write ? (uint8_t)(WRITTEN_NOW | bytes | (s->atomic ? READ_NOW : 0)) : (uint8_t)READ_NOW;
    if (h->second.instruction && h->second.clock == e->clock &&
        h->second.block == (uint32_t)e->block && size == 4)
        e->shared_state[i] |= READ_BY_BLOCKS;
}

std::atomic_flag history_locks[1024];
struct history_lock {
    std::atomic_flag &flag;
    explicit history_lock(size_t word) : flag(history_locks[word % 1024]) {
        while (flag.test_and_set(std::memory_order_acquire)) {
        }
    }
    ~history_lock() { flag.clear(std::memory_order_release); }
};

void global_word(eye *e, instruction *s, uintptr_t address, unsigned size, unsigned thread) {
    area *a = s->where;
    size_t i = (address - a->base) / 4;
    uint8_t bytes = bytes_of_word(address, size),
            state = a->state[i].load(std::memory_order_relaxed);
    if (!s->write && __builtin_expect((state & (WRITTEN_BYTES | WRITTEN_NOW | READ_BY_BLOCKS)) ==
                                          (WRITTEN_BYTES | READ_BY_BLOCKS),
                                      1))
        return;
    history_lock guard(i);
    state = a->state[i].load(std::memory_order_relaxed);
    a->dirty = true;
    if (!(s->write && !s->atomic) && (state & bytes) != bytes) {
        access_fault("uninitialised read", s, address,
                     "reads " + position(a, address) + ", that nobody has written");
        state |= bytes;
    }
    word_history *h = &a->history[i];
    if (!(state & (WRITTEN_NOW | READ_NOW | READ_BY_BLOCKS)))
        memset(h, 0, sizeof *h);
    check_history(e, s, h, address, size, thread, "global race", state & WRITTEN_NOW,
                  state & READ_NOW);
    if (s->write)
        state |= (uint8_t)(WRITTEN_NOW | bytes | (s->atomic ? READ_NOW : 0));
    else
        state |= (uint8_t)(READ_NOW |
                           (size == 4 && h->second.instruction && h->second.block != h->reader.block
                                ? READ_BY_BLOCKS
                                : 0));
    a->state[i].store(state, std::memory_order_relaxed);
}

inline __attribute__((always_inline)) void access(void *pointer, unsigned size, bool write,
                                                  bool atomic, void *return_address,
                                                  bool counted = true) {
    eye *e = mine;
    if (!e || !e->active)
        return;
    uintptr_t address = (uintptr_t)pointer, pc = (uintptr_t)return_address;
    if (pc - text >= text_bytes)
        return;
    instruction *&slot = e->by_pc[pc - text - write]; /* a copy reads and writes from one place */
    if (__builtin_expect(!slot, 0))
        slot = new_instruction(e, pc, size, write, atomic);
    instruction *s = slot;
    if (__builtin_expect(address - s->base >= s->bytes || address - s->base + size > s->bytes, 0))
        locate(e, s, address, size);
    if (s->what == IGNORED || s->what == NOWHERE)
        return;
    if (__builtin_expect(s->what != s->logged, 0))
        s = slot = for_this_memory(e, s);
    unsigned thread = thread_number(), lane = thread % 32;
    if (__builtin_expect(thread / 32 != e->warp, 0)) {
        close_warp(e);
        e->warp = thread / 32;
    }
    if (__builtin_expect(address & (size - 1), 0))
        access_fault("misaligned", s, address,
                     "an access of " + std::to_string(size) +
                         " bytes at an address that is no multiple of " + std::to_string(size));
    if (!counted) {
        if (s->what == SHARED)
            shared_word(e, s, address, size, thread);
        else if (s->what == GLOBAL)
            global_word(e, s, address, size, thread);
        return;
    }
    if (!s->logging) {
        s->logging = true;
        e->logging.push_back(s);
    }
    uint32_t k = s->count[lane];
    if (__builtin_expect(k == s->capacity[lane], 0)) {
        if (k >= LOG_LIMIT) {
            if (e->threads > 1)
                observed().approximate = true;
            close_warp(e);
            s->logging = true;
            e->logging.push_back(s);
            k = 0;
        } else {
            s->capacity[lane] = k ? 2 * k : 64;
            s->log[lane] = (uint64_t *)realloc(s->log[lane], s->capacity[lane] * sizeof(uint64_t));
            if (!s->log[lane]) {
                fprintf(stderr, "inspect: no memory for the log of a warp\n");
                end_process(1);
            }
        }
    }
    s->log[lane][k] = address;
    s->count[lane] = k + 1;
    if (s->what == SYMBOL)
        return;
    uintptr_t end = address + size;
    do { /* word by word; nearly always one */
        unsigned here = size < 4 ? size : 4;
        if (s->what == SHARED)
            shared_word(e, s, address, here, thread);
        else
            global_word(e, s, address, here, thread);
        address += here;
    } while (address < end);
}

/* ---- the order of the threads ---- */

uint64_t next_random(uint64_t &state) { /* splitmix64 */
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Ascending, descending or random, a new one at each barrier; the threads of a warp stay together.
 */
void make_order(eye *e, const unsigned short **order) {
    unsigned n = e->threads, kind = (unsigned)((e->block + e->phase) % 3);
    for (unsigned i = 0; i < n; i++)
        e->order[i] = (unsigned short)(kind == 1 ? n - 1 - i : i);
    if (kind == 2) {
        unsigned short warps[32], at = 0;
        unsigned count = (n + 31) / 32;
        for (unsigned w = 0; w < count; w++)
            warps[w] = (unsigned short)w;
        for (unsigned w = count; w > 1; w--)
            std::swap(warps[w - 1], warps[next_random(e->random) % w]);
        for (unsigned w = 0; w < count; w++) {
            unsigned first = warps[w] * 32u, lanes = std::min(32u, n - first), start = at;
            for (unsigned l = 0; l < lanes; l++)
                e->order[at++] = (unsigned short)(first + l);
            for (unsigned l = lanes; l > 1; l--)
                std::swap(e->order[start + l - 1], e->order[start + next_random(e->random) % l]);
        }
    }
    *order = e->order;
}

/* ---- what the runtime tells ---- */

int find_tls(struct dl_phdr_info *info, size_t, void *out) {
    eye *e = (eye *)out;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data) {
            e->tls = (uintptr_t)info->dlpi_tls_data;
            e->tls_bytes = info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the program itself comes first */
}

eye *open_eye() {
    eye *e = new eye();
    dl_iterate_phdr(find_tls, e);
    e->by_pc = zeroed<instruction *>(text_bytes);
    e->executed = zeroed<uint64_t>(text_bytes);
    size_t words = e->tls_bytes / 4 + 64 * 1024 + 2;
    e->shared_history = zeroed<word_history>(words);
    e->shared_state = zeroed<uint8_t>(words);
    e->shared_clock = zeroed<uint32_t>(words);
    std::lock_guard<std::mutex> guard(eyes_lock);
    eyes.push_back(e);
    return e;
}

/* The variable that the nth cudaMalloc of a source line sets; "" when there is none. */
std::string identifier_in(const std::string &line, unsigned nth) {
    size_t call = line.find("cudaMalloc");
    while (nth-- && call != std::string::npos)
        call = line.find("cudaMalloc", call + 1);
    size_t from = call == std::string::npos ? call : line.find('(', call);
    if (from == std::string::npos)
        return "";
    auto word = [](char c) { return isalnum((unsigned char)c) || c == '_'; };
    std::string name;
    for (size_t i = from + 1; i < line.size() && line[i] != ','; i++)
        if (word(line[i]))
            name += line[i];
        else if (line[i] == ')' || (line[i] == '*' && i + 1 < line.size() && line[i + 1] == ')'))
            name.clear(); /* a cast: (void **) */
        else if (line[i] != '&' && line[i] != ' ')
            name += line[i];
    while (!name.empty() && !word(name[0]))
        name.erase(0, 1);
    return name;
}

/* The first frame outside cudacpu. */
place caller(uintptr_t *pc) {
    void *frames[16];
    int count = backtrace(frames, 16);
    for (int i = 1; i < count; i++) {
        *pc = (uintptr_t)frames[i];
        if (*pc - text >= text_bytes)
            continue;
        place p = place_of(*pc, true);
        if (p.line)
            return p;
    }
    return {"", 0};
}

void on_allocated(const allocation &a, size_t pitch, size_t width) {
    area *n = new area();
    place p = caller(&n->allocated_at);
    static auto &on_line = *new std::map<std::pair<std::string, int>,
                                         std::vector<uintptr_t>>(); /* calls, as they came */
    auto &calls = on_line[{p.file, p.line}];
    unsigned nth =
        (unsigned)(std::find(calls.begin(), calls.end(), n->allocated_at) - calls.begin());
    if (nth == calls.size())
        calls.push_back(n->allocated_at);
    for (int back = 0; back < 3 && n->name.empty(); back++)
        n->name = identifier_in(text_at({p.file, p.line - back}), back ? 0 : nth);
    if (n->name.empty())
        n->name = p.line ? p.file + ":" + std::to_string(p.line) : "an allocation";
    for (auto &other : areas)
        if (other.second->name == n->name && other.second->allocated_at != n->allocated_at) {
            n->name += " (line " + std::to_string(p.line) + ")";
            break;
        }
    n->base = (uintptr_t)a.data;
    n->bytes = a.bytes;
    n->pitch = pitch;
    n->width = width;
    n->words = (a.bytes + 3) / 4;
    n->state = zeroed<std::atomic<uint8_t>>(n->words);
    n->history = zeroed<word_history>(n->words);
    if (a.kind != DEVICE_MEMORY) /* the host may write it at any time, unseen */
        memset((void *)n->state, WRITTEN_BYTES, n->words);
    areas[n->base] = n;
}

void on_freed(const allocation &a) {
    auto found = areas.find((uintptr_t)a.data);
    if (found == areas.end())
        return;
    area *n = found->second;
    munmap((void *)n->state, n->words);
    munmap((void *)n->history, n->words * sizeof(word_history));
    areas.erase(found);
    n->base = n->bytes = 0; /* the counts that name it stay */
}

template <class F>
void each_word(const void *pointer, size_t pitch, size_t width, size_t height, F f) {
    area *a = find_area((uintptr_t)pointer);
    if (!a)
        return;
    for (size_t row = 0; row < height; row++) {
        uintptr_t from = (uintptr_t)pointer + row * pitch - a->base, to = from + width;
        for (uintptr_t word = from / 4; word * 4 < to; word++) {
            unsigned low = word * 4 < from ? (unsigned)(from - word * 4) : 0,
                     high = to < word * 4 + 4 ? (unsigned)(to - word * 4) : 4;
            f(a, word, (uint8_t)(((1u << (high - low)) - 1) << low));
        }
    }
}

void on_host_wrote(const void *pointer, size_t pitch, size_t width, size_t height) {
    each_word(pointer, pitch, width, height, [](area *a, size_t word, uint8_t bytes) {
        a->state[word].store(a->state[word].load(std::memory_order_relaxed) | bytes,
                             std::memory_order_relaxed);
    });
}

void host_fault(const char *kind, const place &p, const std::string &kernel,
                const std::string &message) {
    record({kind, p.file, p.line, kernel, "", "", "", message, "", 1});
}

void on_host_reads(const void *pointer, size_t pitch, size_t width, size_t height) {
    size_t unwritten = 0, first = 0;
    area *where = nullptr;
    each_word(pointer, pitch, width, height, [&](area *a, size_t word, uint8_t bytes) {
        if ((a->state[word].load(std::memory_order_relaxed) & bytes) != bytes && !unwritten++)
            first = word, where = a;
    });
    if (unwritten) {
        uintptr_t pc;
        host_fault("uninitialised read", caller(&pc), "",
                   "copies " + std::to_string(unwritten) +
                       " words to the host that nobody has written; the first is " +
                       position(where, where->base + first * 4));
    }
}

void on_device_copied(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                      size_t height) {
    area *from = find_area((uintptr_t)src);
    for (size_t row = 0; from && row < height; row++)
        each_word((char *)dst + row * dst_pitch, width, width, 1,
                  [&](area *a, size_t word, uint8_t bytes) {
                      uintptr_t at = (uintptr_t)src + row * src_pitch +
                                     (a->base + word * 4 - ((uintptr_t)dst + row * dst_pitch));
                      uint8_t known =
                          from->state[(at - from->base) / 4].load(std::memory_order_relaxed);
                      uint8_t state = a->state[word].load(std::memory_order_relaxed);
                      a->state[word].store((uint8_t)((state & ~bytes) | (known & bytes)),
                                           std::memory_order_relaxed);
                  });
}

void on_host_pointer_passed(const char *kernel, int argument) {
    uintptr_t pc;
    host_fault("host pointer", caller(&pc), kernel,
               "argument " + std::to_string(argument) +
                   " points to host memory; a GPU could not follow it");
}

/* The launch error that nobody has asked for yet; line 0: there is none. */
struct {
    std::string kernel, file;
    int line = 0;
    cudaError_t error;
} unasked;

void tell_unasked() {
    if (unasked.line)
        host_fault("unchecked launch error", {unasked.file, unasked.line}, unasked.kernel,
                   std::string("the launch failed (") + cudaGetErrorString(unasked.error) +
                       ") and nobody asked cudaGetLastError()");
    unasked.line = 0;
}
void on_launch_refused(const char *kernel, cudaError_t error, const char *file, int line) {
    tell_unasked();
    unasked.kernel = kernel, unasked.file = file, unasked.line = line, unasked.error = error;
}
void on_error_asked() { unasked.line = 0; }

void on_launch_begins(const kernel &k, dim3 grid, dim3 block, const char *, int) {
    tell_unasked();
    running_kernel = &k;
    running_grid = grid;
    running_block = block;
    pthread_attr_t attributes;
    void *stack = nullptr;
    size_t stack_bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &stack, &stack_bytes);
        pthread_attr_destroy(&attributes);
    }
    launcher_stack = (uintptr_t)stack;
    launcher_stack_bytes = stack_bytes;
    blocks_done = blocks_observed = 0;
    stride = 1;
    blocks_all = (uint64_t)grid.x * grid.y * grid.z;
    began = told = now();
    work_began = work_seconds();
}

kernel_counts &counts_of(const char *name) {
    for (auto &k : observed().kernels)
        if (k.name == name)
            return k;
    observed().kernels.emplace_back();
    observed().kernels.back().name = name;
    return observed().kernels.back();
}

void on_launch_ends() {
    if (told > began)
        fprintf(stderr, "\r%60s\r", "");
    kernel_counts &k = counts_of(running_kernel->name);
    k.launches++;
    const double scale = blocks_observed ? (double)blocks_all / (double)blocks_observed : 1;
    if (blocks_observed < blocks_all)
        observed().sampled = true;
    auto all_blocks = [&](uint64_t count) {
        return scale == 1 ? count : (uint64_t)((double)count * scale + 0.5);
    };
    k.grid = running_grid;
    k.block = running_block;
    k.blocks += blocks_all;
    k.threads += blocks_all * running_block.x * running_block.y * running_block.z;
    for (eye *e : eyes) {
        k.barriers += all_blocks(e->barriers);
        e->barriers = 0;
        for (instruction *s : e->all) {
            for (auto &c : s->counts) {
                for (uint64_t traffic::*count :
                     {&traffic::words, &traffic::requests, &traffic::sectors, &traffic::lines,
                      &traffic::bytes_1_1, &traffic::wavefronts, &traffic::ideal})
                    c.second.*count = all_blocks(c.second.*count);
                both_ways &sum = s->logged == SHARED ? k.shared
                                 : c.first           ? k.by_matrix[c.first->name]
                                                     : k.symbols;
                auto &at = k.instructions_at[s->pc];
                at.shared = !c.first;
                at.write = s->write;
                at.words += c.second.words;
                (s->atomic ? sum.atomic : s->write ? sum.store : sum.load) += c.second;
            }
            s->counts.clear();
            for (auto &m : s->memo)
                m.valid = false;
            s->base = s->bytes = 0; /* memory may change between launches */
            s->what = NOWHERE;
        }
        for (size_t i = 0; i < text_bytes; i++)
            if (e->executed[i]) {
                k.executed[text + i] += all_blocks(e->executed[i]);
                e->executed[i] = 0;
            }
    }
    for (auto &entry : areas) {
        area *a = entry.second;
        if (!a->dirty && scale == 1)
            continue;
        uint64_t touched = 0;
        for (size_t i = 0; i < a->words; i++) {
            uint8_t state = a->state[i].load(std::memory_order_relaxed);
            if (scale != 1) /* what the other blocks wrote, nobody saw */
                state |= WRITTEN_BYTES;
            if (scale != 1 || state & (WRITTEN_NOW | READ_NOW | READ_BY_BLOCKS)) {
                touched += (state & (WRITTEN_NOW | READ_NOW | READ_BY_BLOCKS)) != 0;
                a->state[i].store(state & WRITTEN_BYTES, std::memory_order_relaxed);
            }
        }
        k.touched[a->name] += touched;
        a->dirty = false;
    }
    damage found;
    while (find_damage(&found))
        restore_pattern(found);
    running_kernel = nullptr;
}

void on_block_begins(uint64_t number, unsigned threads, const char *dynamic, size_t dynamic_bytes,
                     const char *stacks, size_t stacks_bytes, const unsigned short **order) {
    if (!mine)
        mine = open_eye();
    eye *e = mine;
    e->active = number % stride == 0;
    e->block = number;
    e->blocks++;
    e->threads = threads;
    e->warp = 0;
    e->dynamic = dynamic;
    e->dynamic_bytes = dynamic_bytes;
    e->shared_area = (uintptr_t)dynamic + (dynamic_bytes + 15) / 16 * 16 - (256 + 64) * 1024;
    e->shared_area_bytes = (256 + 2 * 64) * 1024;
    e->phase = 0;
    e->stacks = stacks;
    e->stacks_bytes = stacks_bytes;
    e->block_clock = ++e->clock;
    memset(e->warp_clock, 0, sizeof e->warp_clock);
    e->random = number * 7919 + 1;
    make_order(e, order);
}

void on_barrier_opens(const unsigned short **order) {
    eye *e = mine;
    if (e->active) {
        close_warp(e);
        e->barriers++;
    }
    e->block_clock = ++e->clock;
    e->phase++;
    make_order(e, order);
}

void on_warp_synchronised(unsigned first_thread) {
    eye *e = mine;
    e->warp_clock[first_thread / 32] = ++e->clock;
}

void on_block_ends() {
    eye *e = mine;
    if (e->active) {
        close_warp(e);
        blocks_observed++;
    }
    e->active = false;
    uint64_t done = ++blocks_done;
    static std::mutex one;
    double t = now();
    const double each = (work_seconds() - work_began) /
                        processors(); /* what a machine with nothing else to do would take */
    if (stride == 1 && each > 15 && each / (double)done * (double)blocks_all > 55)
        stride =
            61; /* a prime, so that the sample has blocks of every row and column of the grid */
    if (t - began > 2 && isatty(2) && one.try_lock()) {
        if (t - told > 0.5) {
            fprintf(stderr, "\rinspect: %s, %d %% of its blocks", running_kernel->name,
                    (int)(100 * done / blocks_all));
            told = t;
        }
        one.unlock();
    }
}

void on_fault(const char *kind, const char *file, int line, const char *message) {
    record({kind, file, line, running_kernel ? running_kernel->name : "",
            mine ? block_name(mine->block) : "",
            mine && mine->active ? thread_name(thread_number()) : "", "", message, "", 1});
}

} // namespace

void tell_leaks() {
    tell_unasked();
    for (auto &f : seen_faults)
        if (f.count > 1) {
            place p = place_of(f.pc, true);
            for (auto &known : observed().faults)
                if (known.kind == f.kind && known.file == p.file && known.line == p.line)
                    known.count += f.count - 1;
        }
    seen_faults.clear();
    for (auto &entry : areas) {
        area *a = entry.second;
        if (a->reported || sticky_error()) /* after a sticky error nothing can be freed */
            continue;
        a->reported = true;
        host_fault("memory not freed",
                   a->allocated_at ? place_of(a->allocated_at, true) : place{"", 0}, "",
                   a->name + ", " + std::to_string(a->bytes) +
                       " bytes, is not freed when the program ends");
    }
}

void report_and_end();

namespace {
observer table = {on_allocated,         on_freed,         on_host_wrote,
                  on_host_reads,        on_device_copied, on_host_pointer_passed,
                  on_launch_refused,    on_error_asked,   on_launch_begins,
                  on_launch_ends,       on_block_begins,  on_barrier_opens,
                  on_warp_synchronised, on_block_ends,    on_fault,
                  report_and_end};
__attribute__((constructor)) void begin() {
    text = (uintptr_t)&__executable_start;
    text_bytes = (uintptr_t)&etext - text;
    void *frame;
    backtrace(&frame, 1); /* loads the unwinder now */
    if (const char *path = getenv("CUDACPU_INSPECT_TRACE")) {
        trace = fopen(path, "w");
        if (!trace) {
            fprintf(stderr, "inspect: CUDACPU_INSPECT_TRACE=%s: the file cannot be written\n",
                    path);
            end_process(2);
        }
        fprintf(trace, "kernel,warp,barriers,line,request,lane,memory,kind,offset,pitch\n");
    }
    observing = &table;
}
} // namespace
} // namespace cudacpu

using cudacpu::access;

/* ---- what the compiler calls ---- */

#define HERE __builtin_return_address(0)
extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
#define SIZES(name, size)                                                                          \
    void __tsan_read##name(void *p) { access(p, size, false, false, HERE); }                       \
    void __tsan_write##name(void *p) { access(p, size, true, false, HERE); }                       \
    void __tsan_volatile_read##name(void *p) { access(p, size, false, false, HERE); }              \
    void __tsan_volatile_write##name(void *p) { access(p, size, true, false, HERE); }              \
    void __tsan_unaligned_read##name(void *p) { access(p, size, false, false, HERE); }             \
    void __tsan_unaligned_write##name(void *p) { access(p, size, true, false, HERE); }             \
    void __tsan_unaligned_volatile_read##name(void *p) { access(p, size, false, false, HERE); }    \
    void __tsan_unaligned_volatile_write##name(void *p) { access(p, size, true, false, HERE); }
SIZES(1, 1)
SIZES(2, 2)
SIZES(4, 4)
SIZES(8, 8)
SIZES(16, 16)
/* A structure that is copied whole: in accesses as wide as its size and place allow, as a device
 * would. */
static void range(void *p, size_t bytes, bool write, void *pc) {
    unsigned size = 16;
    while (((uintptr_t)p | bytes) % size)
        size /= 2;
    for (size_t done = 0; done < bytes; done += size)
        access((char *)p + done, size, write, false, pc);
}
void __tsan_read_range(void *p, size_t bytes) { range(p, bytes, false, HERE); }
void __tsan_write_range(void *p, size_t bytes) { range(p, bytes, true, HERE); }

/* The start of a basic block. */
void __sanitizer_cov_trace_pc() {
    cudacpu::eye *e = cudacpu::mine;
    if (e && e->active && (uintptr_t)HERE - cudacpu::text < cudacpu::text_bytes)
        e->executed[(uintptr_t)HERE - cudacpu::text]++;
}

/* cpucc renames an observed file's calls of these. */
void *cudacpu_observed_memcpy(void *to, const void *from, size_t bytes) {
    range((void *)from, bytes, false, HERE);
    range(to, bytes, true, HERE);
    return memcpy(to, from, bytes);
}
void *cudacpu_observed_memmove(void *to, const void *from, size_t bytes) {
    range((void *)from, bytes, false, HERE);
    range(to, bytes, true, HERE);
    return memmove(to, from, bytes);
}
void *cudacpu_observed_memset(void *to, int value, size_t bytes) {
    range(to, bytes, true, HERE);
    return memset(to, value, bytes);
}

/* An index beyond the array's type: -fsanitize=bounds calls this, with the layouts of GCC's and
 * LLVM's runtime. */
struct bounds_type {
    unsigned short kind, info;
    char name[1];
};
struct bounds_data {
    const char *file;
    unsigned line, column;
    bounds_type *array, *index;
};
void __ubsan_handle_out_of_bounds(bounds_data *data, uintptr_t index) {
    cudacpu::eye *e = cudacpu::mine;
    if (e && e->active)
        cudacpu::record(
            {"out of bounds", data->file, (int)data->line, cudacpu::running_kernel->name,
             cudacpu::block_name(e->block), cudacpu::thread_name(cudacpu::thread_number()), "",
             "index " + std::to_string((long)index) + " of an array of type " + data->array->name,
             "", 1});
}

/* Atomic accesses are calls altogether: done here, and seen. */
#define ATOMICS(bits, T)                                                                           \
    T __tsan_atomic##bits##_load(const volatile T *p, int) {                                       \
        access((void *)p, bits / 8, false, true, HERE,                                             \
               false); /* a part of cudacpu's atomic functions */                                  \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile T *p, T v, int) {                                    \
        access((void *)p, bits / 8, true, true, HERE);                                             \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                              \
    T __tsan_atomic##bits##_exchange(volatile T *p, T v, int) {                                    \
        access((void *)p, bits / 8, true, true, HERE);                                             \
        return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                        \
    }                                                                                              \
    T __tsan_atomic##bits##_fetch_add(volatile T *p, T v, int) {                                   \
        access((void *)p, bits / 8, true, true, HERE);                                             \
        return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    T __tsan_atomic##bits##_fetch_sub(volatile T *p, T v, int) {                                   \
        access((void *)p, bits / 8, true, true, HERE);                                             \
        return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    T __tsan_atomic##bits##_fetch_and(volatile T *p, T v, int) {                                   \
        access((void *)p, bits / 8, true, true, HERE);                                             \
        return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    T __tsan_atomic##bits##_fetch_or(volatile T *p, T v, int) {                                    \
        access((void *)p, bits / 8, true, true, HERE);                                             \
        return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST);                                          \
    }                                                                                              \
    T __tsan_atomic##bits##_fetch_xor(volatile T *p, T v, int) {                                   \
        access((void *)p, bits / 8, true, true, HERE);                                             \
        return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile T *p, T *expected, T v, int, int) { \
        access((void *)p, bits / 8, true, true, HERE);                                             \
        return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST,                \
                                           __ATOMIC_SEQ_CST);                                      \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile T *p, T *expected, T v, int, int) {   \
        access((void *)p, bits / 8, true, true, HERE);                                             \
        return __atomic_compare_exchange_n(p, expected, v, true, __ATOMIC_SEQ_CST,                 \
                                           __ATOMIC_SEQ_CST);                                      \
    }                                                                                              \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T v, int, int) {       \
        access((void *)p, bits / 8, true, true, HERE);                                             \
        __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
        return expected;                                                                           \
    }
ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned)
ATOMICS(64, unsigned long)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}
}
