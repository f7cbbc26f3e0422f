/* heap.cpp - malloc and its kin for an observed program and its libraries: glibc's, and a note of
 * each block with its exact size. They are weak: a program that has its own keeps them, and then
 * nothing is known of its heap; nor is it with another C library, or AddressSanitizer. Where a
 * kernel asks, the block is memory of the device. A copy's bytes are compared with the host's
 * array; one on the stack is not known: the compiler tells nobody where it ends.
 *
 * The notes have memory of their own. They are a hash table: a block is noted and forgotten at
 * once, and the table is searched from end to end only for a pointer into the middle of a block. */
#include "heap.h"
#include "areas.h"
#include "faults.h"
#include "observed.h"
#include "observer.h"
#include "runtime/host/symbols.h"
#include "runtime/scheduler/block.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>

namespace cudacpu::inspect {
namespace {

std::mutex heap_lock; /* needs no constructor: libraries allocate before main */
heap_block *table;
size_t capacity, used; /* capacity: 0 or a power of two, at least twice used */

size_t home_of(uintptr_t base) {
    return (size_t)((base >> 4) * 0x9E3779B97F4A7C15u >> 20) & (capacity - 1);
}
/* Where base stands, or would stand. */
size_t find_slot(uintptr_t base) {
    size_t i = home_of(base);
    while (table[i].base && table[i].base != base)
        i = (i + 1) & (capacity - 1);
    return i;
}

/* False: there is no memory, and what comes is not known. */
bool make_room() {
    if (2 * (used + 1) <= capacity)
        return true;
    heap_block *const before = table;
    const size_t count = capacity, more = capacity ? 2 * capacity : 4096;
    void *map = mmap(nullptr, more * sizeof(heap_block), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return false;
    table = (heap_block *)map;
    capacity = more;
    for (size_t i = 0; i < count; i++)
        if (before[i].base)
            table[find_slot(before[i].base)] = before[i];
    if (before)
        munmap((void *)before, count * sizeof(heap_block));
    return true;
}

} // namespace

heap_block find_heap_block(const void *address) {
    const uintptr_t at = (uintptr_t)address;
    std::lock_guard<std::mutex> guard(heap_lock);
    if (!capacity)
        return {};
    const heap_block &first = table[find_slot(at)];
    if (first.base)
        return first;
    for (size_t i = 0; i < capacity; i++)
        if (at - table[i].base < table[i].bytes)
            return table[i];
    return {};
}

void set_heap_caller(void *p, void *caller) {
    std::lock_guard<std::mutex> guard(heap_lock);
    if (p && capacity)
        table[find_slot((uintptr_t)p)].caller = caller; /* of an empty slot it says nothing */
}

namespace {

std::mutex kernel_heap_lock;
std::map<uintptr_t, size_t> &blocks() {
    static auto *all = new std::map<uintptr_t, size_t>(); /* programs free in their destructors */
    return *all;
}

/* What the program's code, which returns to caller, was given. */
void *note_block(void *p, size_t bytes, void *caller) {
    set_heap_caller(p, caller);
    if (p && observed()) {
        std::lock_guard<std::mutex> guard(kernel_heap_lock);
        blocks()[(uintptr_t)p] = bytes;
    }
    return p;
}
void forget_block(void *p) {
    std::lock_guard<std::mutex> guard(kernel_heap_lock);
    blocks().erase((uintptr_t)p);
}

} // namespace

bool find_in_heap(uintptr_t address, uintptr_t *base, size_t *bytes) {
    std::lock_guard<std::mutex> guard(kernel_heap_lock);
    auto next = blocks().upper_bound(address);
    if (next == blocks().begin() || address - (--next)->first >= next->second)
        return false;
    *base = next->first, *bytes = next->second;
    return true;
}

/* ---- host arrays ---- */

namespace {

/* name: "the host array table" and what follows its size, " (allocated at file:line)" */
struct host_array {
    uintptr_t base;
    size_t bytes;
    std::string name, more;
};

std::string describe_site(uintptr_t return_address) {
    const place p =
        return_address - program_text < program_text_bytes ? place_of(return_address) : place();
    return p.line ? text(" (allocated at ", p, ")") : "";
}

/* bytes 0: it is not known. Its name is, only when it is wanted. */
host_array find_host_array(const void *pointer, bool named) {
    const allocation *a = find_live_allocation(pointer);
    if (a && (a->kind == REGISTERED_MEMORY || (const char *)pointer < a->data))
        return {};
    if (a) {
        const area *known = named ? find_area((uintptr_t)a->data) : nullptr;
        return {(uintptr_t)a->data, a->bytes, known ? "the host array " + known->name : "",
                known ? describe_site(known->allocated_at) : ""};
    }
    if (const program_variable v = find_program_variable(pointer); v.bytes)
        return {v.address, v.bytes, "the host array " + v.name, ""};
    const heap_block b = find_heap_block(pointer);
    return {b.base, b.bytes, "a host array", named ? describe_site((uintptr_t)b.caller) : ""};
}

} // namespace

std::string describe_host_array(const void *pointer) {
    thread_local host_array last; /* finding it takes long, and the next access is near */
    if ((uintptr_t)pointer - last.base >= last.bytes)
        last = find_host_array(pointer, true);
    return last.bytes ? text(last.name, " of ", last.bytes, " bytes", last.more) : "";
}

namespace {
/* A fault if the array is known that pointer lies in, and shorter: a block of the heap, a variable
 * of the program, memory of cudaMallocHost or cudaMallocManaged. */
class host_array_events : public observer {
    void host_range_used(const char *function, const void *pointer, size_t bytes, bool write,
                         size_t *there) override {
        const host_array found = find_host_array(pointer, false);
        const size_t offset = (uintptr_t)pointer - found.base;
        if (!found.bytes || offset > found.bytes || bytes <= found.bytes - offset)
            return;
        const host_array a = find_host_array(pointer, true);
        uintptr_t return_address;
        record_host_fault("out of bounds", find_caller(&return_address), "",
                          text(function, write ? " writes " : " reads ", bytes, " bytes ",
                               write ? "to " : "of ", a.name, " of ", a.bytes, " bytes", a.more,
                               offset ? text(", from byte ", offset, " on") : ""));
        if (!find_live_allocation(pointer)) /* else the call fails */
            *there = a.bytes - offset;
    }
};
} // namespace

observer &host_arrays() { return only<host_array_events>(); }

} // namespace cudacpu::inspect

using namespace cudacpu::inspect;

/* cpucc lets an observed file call these in place of new, malloc, delete and free. */
#define CALLER __builtin_return_address(0)
extern "C" {
void *cudacpu_observed_malloc(size_t bytes) { return note_block(malloc(bytes), bytes, CALLER); }
void cudacpu_observed_free(void *p) {
    forget_block(p);
    free(p);
}
void *cudacpu_observed__Znwm(size_t bytes) {
    return note_block(operator new(bytes), bytes, CALLER);
}
void *cudacpu_observed__Znam(size_t bytes) {
    return note_block(operator new[](bytes), bytes, CALLER);
}
void cudacpu_observed__ZdlPv(void *p) {
    forget_block(p);
    operator delete(p);
}
void cudacpu_observed__ZdaPv(void *p) {
    forget_block(p);
    operator delete[](p);
}
void cudacpu_observed__ZdlPvm(void *p, size_t) { cudacpu_observed__ZdlPv(p); }
void cudacpu_observed__ZdaPvm(void *p, size_t) { cudacpu_observed__ZdaPv(p); }
}

#if defined(__GLIBC__) && !defined(CUDACPU_ASAN)
namespace cudacpu::inspect {
namespace {

void *note(void *p, size_t bytes, void *caller) {
    std::lock_guard<std::mutex> guard(heap_lock);
    if (!p || !make_room())
        return p;
    heap_block &b = table[find_slot((uintptr_t)p)];
    used += !b.base;
    b = {(uintptr_t)p, bytes, caller};
    return p;
}

/* Before the block is freed: after that another thread may be given it. What follows in the table
 * moves up, so that each block is found from its home on. */
heap_block forget(void *p) {
    std::lock_guard<std::mutex> guard(heap_lock);
    size_t hole = p && capacity ? find_slot((uintptr_t)p) : 0;
    if (!p || !capacity || !table[hole].base)
        return {};
    const heap_block forgotten = table[hole];
    const size_t mask = capacity - 1;
    for (size_t i = (hole + 1) & mask; table[i].base; i = (i + 1) & mask)
        if (((i - home_of(table[i].base)) & mask) >= ((i - hole) & mask)) {
            table[hole] = table[i];
            hole = i;
        }
    table[hole] = {};
    used--;
    return forgotten;
}

/* A process that forks has the lock free in both. */
__attribute__((constructor)) void keep_lock_over_fork() {
    pthread_atfork([] { heap_lock.lock(); }, [] { heap_lock.unlock(); },
                   [] { heap_lock.unlock(); });
}

} // namespace
} // namespace cudacpu::inspect

#define WEAK __attribute__((weak))
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

WEAK void *malloc(size_t bytes) noexcept { return note(__libc_malloc(bytes), bytes, CALLER); }
WEAK void *calloc(size_t count, size_t bytes) noexcept {
    return note(__libc_calloc(count, bytes), count * bytes, CALLER); /* NULL if that overflows */
}
WEAK void *realloc(void *p, size_t bytes) noexcept {
    const heap_block before = forget(p);
    void *moved = __libc_realloc(p, bytes);
    if (!moved && bytes && before.base) /* it is still there */
        note(p, before.bytes, before.caller);
    return note(moved, bytes, CALLER);
}
WEAK void *memalign(size_t alignment, size_t bytes) noexcept {
    return note(__libc_memalign(alignment, bytes), bytes, CALLER);
}
WEAK void *aligned_alloc(size_t alignment, size_t bytes) noexcept {
    return note(__libc_memalign(alignment, bytes), bytes, CALLER);
}
WEAK int posix_memalign(void **p, size_t alignment, size_t bytes) noexcept {
    if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1))
        return EINVAL;
    void *block = note(__libc_memalign(alignment, bytes), bytes, CALLER);
    if (!block)
        return ENOMEM;
    *p = block;
    return 0;
}
WEAK void free(void *p) noexcept {
    forget(p);
    __libc_free(p);
}
}
#endif
