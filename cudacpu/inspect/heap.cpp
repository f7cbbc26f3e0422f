/* heap.cpp - malloc and its kin for an observed program and its libraries: glibc's, and a note of
 * each block with its exact size. They are weak: a program that has its own keeps them, and then
 * nothing is known of its heap; nor is it with another C library, or AddressSanitizer. Where a
 * kernel asks, the block is memory of the device. A copy's bytes are compared with the host's
 * array; one on the stack is not known: the compiler tells nobody where it ends.
 *
 * The notes have memory of their own, since malloc is what they are about. */
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
#include <memory_resource>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>

namespace cudacpu::inspect {
namespace {

class pages : public std::pmr::memory_resource {
    void *do_allocate(size_t bytes, size_t) override { return make_zeroed<char>(bytes); }
    void do_deallocate(void *p, size_t bytes, size_t) override { munmap(p, bytes); }
    bool do_is_equal(const memory_resource &other) const noexcept override {
        return this == &other;
    }
};
struct notes {
    pages own;
    std::pmr::unsynchronized_pool_resource pool{&own};
    std::pmr::map<uintptr_t, heap_block> blocks{&pool}; /* by base */
};

std::mutex heap_lock; /* needs no constructor: libraries allocate before main */
/* Under the lock. Never destroyed: programs free in their destructors. */
std::pmr::map<uintptr_t, heap_block> &blocks() {
    alignas(notes) static char room[sizeof(notes)];
    static notes *const all = new (room) notes;
    return all->blocks;
}

/* What the program's code, which returns to caller, was given. */
void *note_caller(void *p, size_t bytes, void *caller) {
    std::lock_guard<std::mutex> guard(heap_lock);
    if (p && observed())
        blocks()[(uintptr_t)p] = {(uintptr_t)p, bytes, caller, true};
    else if (auto found = blocks().find((uintptr_t)p); found != blocks().end())
        found->second.caller = caller;
    return p;
}

/* Before the block is freed: after that another thread may be given it. */
heap_block forget(void *p) {
    std::lock_guard<std::mutex> guard(heap_lock);
    const auto found = blocks().find((uintptr_t)p);
    if (found == blocks().end())
        return {};
    const heap_block forgotten = found->second;
    blocks().erase(found);
    return forgotten;
}

/* ---- host arrays ---- */

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
    const heap_block b = find_heap_block((uintptr_t)pointer);
    return {b.base, b.bytes, "a host array", named ? describe_site((uintptr_t)b.caller) : ""};
}

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
        record_fault({"out of bounds", find_caller(), "",
                      text(function, write ? " writes " : " reads ", bytes, " bytes ",
                           write ? "to " : "of ", a.name, " of ", a.bytes, " bytes", a.more,
                           offset ? text(", from byte ", offset, " on") : "")});
        if (!find_live_allocation(pointer)) /* else the call fails */
            *there = a.bytes - offset;
    }
};

} // namespace

heap_block find_heap_block(uintptr_t address) {
    std::lock_guard<std::mutex> guard(heap_lock);
    const auto next = blocks().upper_bound(address);
    if (next == blocks().begin())
        return {};
    const heap_block &found = std::prev(next)->second;
    return address - found.base < found.bytes ? found : heap_block{};
}

std::string describe_host_array(const void *pointer) {
    thread_local host_array last; /* finding it takes long, and the next access is near */
    if ((uintptr_t)pointer - last.base >= last.bytes)
        last = find_host_array(pointer, true);
    return last.bytes ? text(last.name, " of ", last.bytes, " bytes", last.more) : "";
}

observer &host_arrays() { return only<host_array_events>(); }

} // namespace cudacpu::inspect

using namespace cudacpu::inspect;

/* cpucc lets an observed file call these in place of new, malloc, delete and free. */
#define CALLER __builtin_return_address(0)
extern "C" {
void *cudacpu_observed_malloc(size_t bytes) { return note_caller(malloc(bytes), bytes, CALLER); }
void cudacpu_observed_free(void *p) {
    forget(p);
    free(p);
}
void *cudacpu_observed__Znwm(size_t bytes) {
    return note_caller(operator new(bytes), bytes, CALLER);
}
void *cudacpu_observed__Znam(size_t bytes) {
    return note_caller(operator new[](bytes), bytes, CALLER);
}
void cudacpu_observed__ZdlPv(void *p) {
    forget(p);
    operator delete(p);
}
void cudacpu_observed__ZdaPv(void *p) {
    forget(p);
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
    if (p)
        blocks()[(uintptr_t)p] = {(uintptr_t)p, bytes, caller, false};
    return p;
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
