/* host_heap.cpp - malloc and its kin for an observed program and its libraries: glibc's, and a note
 * of each block with its exact size. They are weak: a program that has its own keeps them, and then
 * nothing is known of its heap; nor is it with another C library, or AddressSanitizer.
 *
 * The notes have memory of their own. They are a hash table: a block is noted and forgotten at
 * once, and the table is searched from end to end only for a pointer into the middle of a block. */
#include "host_heap.h"
#include "runtime/scheduler/block.h"
#include <cerrno>
#include <cstdlib>
#include <mutex>
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

} // namespace cudacpu::inspect

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

using namespace cudacpu::inspect;

#define WEAK __attribute__((weak))
#define CALLER __builtin_return_address(0)
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
