/* worker.cpp - what an OS thread needs to run blocks: coordinates, stacks, shared memory. */
#include "worker.h"
#include "block.h"
#include "cluster.h"
#include "runtime/host/machine.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/host/signals.h"
#include <algorithm>
#include <cstdlib>
#include <pthread.h>
#include <sys/mman.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(begin, bytes) (void)0
#endif

CUDACPU_THREAD char cudacpu_coordinates_storage[sizeof(cudacpu::coordinates)]
    __attribute__((aligned(16)));
/* threadIdx and its kin: names for parts of it (cudacpu/coordinates.h). */
#define COORDINATE(name, member, place)                                                            \
    static_assert(offsetof(cudacpu::coordinates, member) == place, "its place");                   \
    __asm__(".globl cudacpu_" name "\n"                                                            \
            ".type cudacpu_" name ", %tls_object\n"                                                \
            ".set cudacpu_" name ", cudacpu_coordinates_storage + " #place);
COORDINATE("threadIdx", thread, 0)
COORDINATE("blockIdx", block, 16)
COORDINATE("blockDim", block_dim, 28)
COORDINATE("gridDim", grid_dim, 40)

CUDACPU_THREAD char *cudacpu_dynamic_shared;
CUDACPU_THREAD cudacpu::fiber *cudacpu_current;
CUDACPU_THREAD cudacpu_site_bits cudacpu_waiting_at;
CUDACPU_THREAD cudacpu::block_places *cudacpu_block_places;

namespace cudacpu {

/* Aligned, and with it all thread-local storage, so that static shared memory begins at such an
 * address in each OS thread (shared_window.cpp). */
CUDACPU_THREAD worker *self __attribute__((aligned(1024)));

bool is_in_kernel() { return cudacpu_current; }

#ifdef CUDACPU_FIBER_SETJMP
void switch_to(context *from, context *to) {
    if (_setjmp(from->registers) == 0) {
        if (to->fresh) {
            to->fresh = false;
            setcontext(&to->start);
        }
        _longjmp(to->registers, 1);
    }
}
#endif
namespace {

/* Room for two or three copies of the largest arguments (32 KB), which is what a launch that is
 * observed makes, and for arrays of a thread's own; memory is taken where it is touched. */
const size_t STACK = 256 * 1024, STACK_GUARD = 4096;

#ifdef CUDACPU_FIBER_SETJMP
void prepare_context(context *c, char *stack_top, size_t size, void (*entry)()) {
    getcontext(&c->start);
    c->start.uc_stack.ss_sp = stack_top - size;
    c->start.uc_stack.ss_size = size;
    c->start.uc_link = nullptr;
    makecontext(&c->start, entry, 0);
    c->fresh = true;
}
#else
void prepare_context(context *c, char *stack_top, size_t, void (*entry)()) {
    void **sp = (void **)((uintptr_t)stack_top & ~(uintptr_t)15);
#ifdef __x86_64__
    *--sp = nullptr; /* where a call would have left its return address */
#endif
    *c = {sp, nullptr, (void *)entry, nullptr};
}
#endif

/* A guard page below each stack costs two memory maps; where their number is limited, there are
 * none. */
std::atomic<long> workers;
bool can_guard_stacks() {
    const uint64_t most = (uint64_t)std::max((long)processors(), ++workers);
    return most * 2 * MAX_THREADS < read_number("/proc/sys/vm/max_map_count", "", 65530) / 2;
}

/* The OS thread ends, after all that its thread-local objects have still launched. */
void free_worker(void *worker_of_thread) {
    worker *w = (worker *)worker_of_thread;
    tell_end(&observer::worker_ends);
    self = nullptr;
    cudacpu_block_places = nullptr;
    if (w->together)
        end_cluster(w->together);
    /* what comes to lie there next is not what AddressSanitizer knows of these frames */
    ASAN_UNPOISON_MEMORY_REGION(w->stacks, stacks_bytes());
    munmap(w->stacks, stacks_bytes());
    munmap(w->shared_end - SHARED - SHARED_GUARD, SHARED + 2 * SHARED_GUARD);
    free_signal_stack(w->signal_stack);
    delete w;
    workers--;
}
pthread_key_t owned() {
    static const pthread_key_t key = [] {
        pthread_key_t made;
        if (pthread_key_create(&made, free_worker) != 0) {
            say("no key for what is kept of an OS thread");
            exit(1);
        }
        return made;
    }();
    return key;
}

} // namespace

size_t stacks_bytes() { return MAX_THREADS * (STACK + STACK_GUARD); }

void make_worker() {
    worker *w = new worker();
    w->here = reinterpret_cast<coordinates *>(cudacpu_coordinates_storage);
    w->guarded = can_guard_stacks();
    char *map =
        (char *)mmap(nullptr, stacks_bytes(), w->guarded ? PROT_NONE : PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!w->guarded && map != MAP_FAILED)
        madvise(map, stacks_bytes(), MADV_NOHUGEPAGE); /* a stack uses a few small pages */
    char *area = (char *)mmap(nullptr, SHARED + 2 * SHARED_GUARD, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || area == MAP_FAILED ||
        mprotect(area + SHARED_GUARD, SHARED, PROT_READ | PROT_WRITE) != 0) {
        say("no memory for the stacks of a block (", stacks_bytes(), " bytes)");
        exit(1);
    }
    w->stacks = map;
    w->shared_end = area + SHARED_GUARD + SHARED;
    const thread_locals statics = program_thread_locals();
    w->statics = statics.begin;
    w->statics_bytes = statics.bytes;
    w->together = new cluster();
    w->together->blocks[0] = w;
    w->signal_stack = prepare_signal_stack();
    self = w;
    cudacpu_block_places = w;
    pthread_setspecific(owned(), w);
}

fiber *get_fiber(worker *w, unsigned i, void (*entry)()) {
    fiber *f = &w->fibers[i];
    if (i < w->made)
        return f;
    w->made++;
    char *stack = w->stacks + i * (STACK + STACK_GUARD) + STACK_GUARD;
    if (w->guarded)
        mprotect(stack, STACK, PROT_READ | PROT_WRITE);
    size_t shift = i * 448 % 4096; /* stacks at equal distances would share the sets of the cache */
    prepare_context(&f->saved, stack + STACK - shift, STACK - shift, entry);
    return f;
}

#ifdef CUDACPU_ASSERTS
void assert_that(bool holds, const char *what) {
    if (holds)
        return;
    say("the scheduler's state is wrong: ", what);
    abort();
}
#endif

bool in_stack_guard(const void *address) {
    const char *p = (const char *)address;
    if (!self || p < self->stacks || p >= self->stacks + stacks_bytes())
        return false;
    return (size_t)(p - self->stacks) % (STACK + STACK_GUARD) < STACK_GUARD;
}

} // namespace cudacpu
