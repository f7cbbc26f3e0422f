/* launch.cpp - runs a grid: blocks on OS threads, the threads of a block on fibers that exist only
 * where a barrier needs them. The cost of a barrier is one jump per thread (fiber.h). */
#include "internal.h"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define CUDACPU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CUDACPU_ASAN 1
#endif
#endif
#ifdef CUDACPU_ASAN
extern "C" void __asan_unpoison_memory_region(void const volatile *, size_t);
#endif
/* ASan clears the stack before a call that does not return, knows no fibers, and complains: it is
 * not told. */
#ifdef CUDACPU_ASAN
#define LEAVES_FIBER
#else
#define LEAVES_FIBER [[noreturn]]
#endif

CUDACPU_THREAD char cudacpu_coordinates_storage[sizeof(cudacpu::coordinates)]
    __attribute__((aligned(16)));
CUDACPU_THREAD char *cudacpu_dynamic_shared;
CUDACPU_THREAD cudacpu::fiber *cudacpu_current;

namespace cudacpu {
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

const unsigned MAX_THREADS = 1024;
const size_t STACK = 64 * 1024, STACK_GUARD = 4096;

#ifdef CUDACPU_FIBER_SETJMP
void prepare(context *c, char *stack_top, size_t size, void (*entry)()) {
    getcontext(&c->start);
    c->start.uc_stack.ss_sp = stack_top - size;
    c->start.uc_stack.ss_size = size;
    c->start.uc_link = nullptr;
    makecontext(&c->start, entry, 0);
    c->fresh = true;
}
#else
void prepare(context *c, char *stack_top, size_t, void (*entry)()) {
    void **sp = (void **)((uintptr_t)stack_top & ~(uintptr_t)15);
#ifdef __x86_64__
    *--sp = nullptr; /* where a call would have left its return address */
#endif
    *c = {sp, nullptr, (void *)entry, nullptr};
}
#endif

/* A warp function that a thread waits in. */
struct warp_call {
    bool waits;
    unsigned mask;
    uint64_t value, result;
    int source;
    warp_operation operation;
};

struct launch_state {
    const kernel *what;
    dim3 grid, block;
    size_t shared_bytes;
    const char *file;
    int line;
    uint64_t blocks;
    std::atomic<uint64_t> next;
    std::atomic<bool> failed, warned;
    cudaError_t error;
    bool checking; /* look for damage after each step of each thread */
};

struct worker {
    fiber
        main; /* what the last thread of a round jumps to: run_block on the OS thread's own stack */
    launch_state *launch;
    coordinates *here;
    fiber fibers[MAX_THREADS];
    unsigned made; /* fibers that have a stack with a context in it */
    unsigned threads, started, ended, warp_waiting;
    uint3 next_index;
    fiber *waiting[MAX_THREADS]; /* the threads that have begun and not ended, while all of them
                                    wait */
    fiber *awake[MAX_THREADS];   /* those that need not wait for their warp any longer */
    unsigned awake_count;
    fiber *by_thread[MAX_THREADS];
    bool done[MAX_THREADS];
    warp_call calls[MAX_THREADS];
    int accumulated[2], result[2]; /* count of true, of all */
    unsigned early;                /* a thread that ended, for the warning */
    bool aborted;
    char *stacks, *shared, *shared_end;
    bool guarded;
    const unsigned short *order; /* the observer's order of the threads, or NULL */
};

__thread worker *self;

/* Leaves a thread that cannot go on, and its block. */
LEAVES_FIBER void leave_fiber() {
    self->aborted = true;
    context unused;
    switch_to(&unused, &self->main.saved);
#ifndef CUDACPU_ASAN
    __builtin_unreachable();
#endif
}
LEAVES_FIBER void abort_block() {
    self->launch->failed = true;
    leave_fiber();
}

bool damaged(const fiber *f);

std::string triple(unsigned x, unsigned y, unsigned z) {
    std::string text = "(" + std::to_string(x) + "," + std::to_string(y);
    return text + (z ? "," + std::to_string(z) : "") + ")";
}
std::string triple(uint3 v) { return triple(v.x, v.y, v.z); }

void fail_launch(cudaError_t error, const std::string &message, const char *kind, const char *file,
                 int line) {
    launch_state *l = self->launch;
    static std::mutex one;
    std::lock_guard<std::mutex> guard(one);
    if (!l->failed.exchange(true)) {
        l->error = error;
        fflush(stdout);
        fprintf(stderr, "cudacpu: kernel %s: block %s: %s\n", l->what->name,
                triple(self->here->block).c_str(), message.c_str());
        if (observing)
            observing->fault(kind, file, line, message.c_str());
    }
}

bool same_place(const fiber *a, const fiber *b) {
    const site *s = a->where, *t = b->where;
    return s == t || (s->line == t->line && (s->file == t->file || strcmp(s->file, t->file) == 0));
}

/* Threads that wait at different barriers, or for a warp that will not come. */
void fail_barrier(worker *w, unsigned count) {
    std::string message = "its threads wait at different barriers:";
    for (unsigned i = 0; i < count; i++) {
        fiber *f = w->waiting[i];
        unsigned before = 0, alike = 0;
        for (unsigned j = 0; j < count; j++) {
            before += j < i && same_place(w->waiting[j], f);
            alike += same_place(w->waiting[j], f);
        }
        if (!before)
            message += (i ? "; thread " : " thread ") + triple(f->index) +
                       (alike > 1 ? " and " + std::to_string(alike - 1) + " more" : "") + " at " +
                       f->where->file + ":" + std::to_string(f->where->line) +
                       (w->calls[f->thread].waits ? " (its warp)" : "");
    }
    if (w->ended)
        message += "; " + std::to_string(w->ended) + " ended";
    fail_launch(cudaErrorLaunchFailure, message, "divergent barrier", w->waiting[0]->where->file,
                w->waiting[0]->where->line);
    w->aborted = true;
}

/* All threads that have not ended wait, none of them for its warp. */
bool open_barrier(worker *w, unsigned count) {
    fiber *first = w->waiting[0];
    for (unsigned i = 1; i < count; i++)
        if (!same_place(first, w->waiting[i])) {
            fail_barrier(w, count);
            return false;
        }
    if (w->ended && !w->launch->warned.exchange(true)) {
        if (observing)
            observing->fault(
                "divergent barrier", first->where->file, first->where->line,
                "the barrier opened after threads of the block had ended without reaching it");
        dim3 size = w->launch->block;
        fprintf(stderr,
                "cudacpu: warning: kernel %s: block %s: the barrier at %s:%d opened after thread "
                "%s had ended without "
                "reaching it\n",
                w->launch->what->name, triple(w->here->block).c_str(), first->where->file,
                first->where->line,
                triple(w->early % size.x, w->early / size.x % size.y, w->early / size.x / size.y)
                    .c_str());
    }
    for (int i = 0; i < 2; i++) {
        w->result[i] = w->accumulated[i];
        w->accumulated[i] = 0;
    }
    if (observing) {
        observing->barrier_opens(&w->order);
        for (unsigned i = 0, ready = 0; i < w->threads; i++)
            if (!w->done[w->order[i]])
                w->waiting[ready++] = w->by_thread[w->order[i]];
    }
    return true;
}

/* Runs CUDA threads until there is nothing left that this fiber could start. */
void fiber_main() {
    for (;;) {
        worker *w = self;
        fiber *f = cudacpu_current;
        while (w->started < w->threads) {
            f->thread = w->started++;
            f->index = w->next_index;
            if (++w->next_index.x == w->here->block_dim.x) {
                w->next_index.x = 0;
                if (++w->next_index.y == w->here->block_dim.y) {
                    w->next_index.y = 0;
                    w->next_index.z++;
                }
            }
            if (w->order) {
                unsigned t = f->thread = w->order[f->thread], x = w->here->block_dim.x,
                         y = w->here->block_dim.y;
                f->index = {t % x, t / x % y, t / x / y};
            }
            set_current(f);
            w->by_thread[f->thread] = f;
            w->launch->what->run(w->launch->what->arguments);
            if (w->launch->checking && damaged(f))
                leave_fiber();
            w->done[f->thread] = true;
            w->early = f->thread;
            w->ended++;
        }
        go_to_next(f);
    }
}

fiber *get_fiber(worker *w, unsigned i) {
    fiber *f = &w->fibers[i];
    if (i < w->made)
        return f;
    w->made++;
    char *stack = w->stacks + i * (STACK + STACK_GUARD) + STACK_GUARD;
    if (w->guarded)
        mprotect(stack, STACK, PROT_READ | PROT_WRITE);
    size_t shift = i * 448 % 4096; /* stacks at equal distances would share the sets of the cache */
    prepare(&f->saved, stack + STACK - shift, STACK - shift, fiber_main);
    return f;
}

/* Lets threads go on, one after the other, each until it waits or ends. False: the block cannot go
 * on. */
bool resume(worker *w, fiber **threads, unsigned count) {
    unsigned step = w->launch->checking ? 1 : count; /* a culprit is looked for after each */
    for (unsigned i = 0; i < count; i++)
        threads[i]->next = step == 1 || i + 1 == count ? &w->main : threads[i + 1];
    for (unsigned i = 0; i < count && !w->aborted; i += step) {
        set_current(threads[i]);
        switch_to(&w->main.saved, &threads[i]->saved);
        if (w->launch->checking && !w->aborted && !w->done[threads[i]->thread] &&
            damaged(threads[i]))
            w->aborted = true;
    }
    return !w->aborted;
}

/* Are all lanes there that this thread waits for? Then gives each its result; they wait no more. */
bool warp_ready(worker *w, unsigned thread) {
    unsigned first = thread & ~31u, mask = w->calls[thread].mask;
    warp_call *lanes[32];
    for (unsigned l = 0; l < 32; l++) {
        lanes[l] = nullptr;
        if (!(mask >> l & 1) || first + l >= w->threads || w->done[first + l])
            continue;
        lanes[l] = &w->calls[first + l];
        if (!lanes[l]->waits || lanes[l]->mask != mask)
            return false;
    }
    for (unsigned l = 0; l < 32; l++) {
        warp_call *g = lanes[l];
        if (!g)
            continue;
        if (g->operation == WARP_SHUFFLE) {
            g->result = lanes[g->source & 31] ? lanes[g->source & 31]->value : g->value;
        } else if (g->operation != WARP_SYNC) {
            uint64_t all = 0;
            bool any = false;
            for (unsigned m = 0; m < 32; m++) {
                if (!lanes[m])
                    continue;
                uint64_t v = lanes[m]->value;
                switch (g->operation) {
                /* clang-format off */
                case WARP_BALLOT: all |= (v & 1) << m; break;
                case WARP_MATCH: all |= (uint64_t)(v == g->value) << m; break;
                case WARP_ADD: all += v; break;
                case WARP_MIN: all = any && all < v ? all : v; break;
                case WARP_MAX: all = any && all > v ? all : v; break;
                case WARP_AND: all = any ? all & v : v; break;
                case WARP_OR: all |= v; break;
                default: all ^= v; break;
                    /* clang-format on */
                }
                any = true;
            }
            g->result = all;
        }
    }
    if (observing)
        observing->warp_synchronised(first);
    for (unsigned l = 0; l < 32; l++)
        if (lanes[l]) {
            lanes[l]->waits = false;
            w->warp_waiting--;
            w->awake[w->awake_count++] = w->by_thread[first + l];
        }
    return true;
}

/* Starts the threads of a block, on one fiber after the other, each of which starts threads until
 * one of them waits. Then they go on in rounds: from a barrier, where all have to be, to the next.
 */
void run_threads(worker *w) {
    unsigned count = 0;
    while (w->started < w->threads) {
        fiber *f = get_fiber(w, count);
        if (!resume(w, &f, 1))
            return;
        if (!w->done[f->thread])
            w->waiting[count++] = f;
    }
    for (unsigned ended = w->ended; count;) {
        w->awake_count = 0;
        for (unsigned i = 0; i < count && w->warp_waiting; i++)
            if (w->calls[w->waiting[i]->thread].waits)
                warp_ready(w, w->waiting[i]->thread);
        if (w->awake_count) {
            if (!resume(w, w->awake, w->awake_count))
                return;
        } else if (w->warp_waiting) {
            fail_barrier(w, count);
            return;
        } else if (!open_barrier(w, count) || !resume(w, w->waiting, count)) {
            return;
        }
        if (ended != w->ended) {
            ended = w->ended;
            unsigned all = count;
            count = 0;
            for (unsigned i = 0; i < all; i++)
                if (!w->done[w->waiting[i]->thread])
                    w->waiting[count++] = w->waiting[i];
        }
    }
}

/* One block: its coordinates, its threads, and order again where they could not go on. */
void run_block(worker *w, uint64_t number) {
    launch_state *l = w->launch;
    w->here->block.x = (unsigned)(number % l->grid.x);
    w->here->block.y = (unsigned)(number / l->grid.x % l->grid.y);
    w->here->block.z = (unsigned)(number / l->grid.x / l->grid.y);
    w->started = w->ended = w->warp_waiting = 0;
    w->next_index = {0, 0, 0};
    w->accumulated[0] = w->accumulated[1] = 0;
    memset(w->done, 0, w->threads);
    w->aborted = false;
    if (observing)
        observing->block_begins(number, w->threads, cudacpu_dynamic_shared, l->shared_bytes,
                                w->stacks, MAX_THREADS * (STACK + STACK_GUARD), &w->order);
    run_threads(w);
    cudacpu_current = nullptr;
    if (observing)
        observing->block_ends();
    if (w->aborted) { /* its fibers stand anywhere: begin with new ones */
        w->made = 0;
        for (warp_call &call : w->calls)
            call.waits = false;
#ifdef CUDACPU_ASAN
        __asan_unpoison_memory_region(w->stacks, MAX_THREADS * (STACK + STACK_GUARD));
#endif
    }
}

worker *make_worker() {
    worker *w = new worker();
    w->here = reinterpret_cast<coordinates *>(cudacpu_coordinates_storage);
    /* A guard page below each stack costs two memory maps; where their number is limited, there are
     * none. */
    long maps = 65530;
    if (FILE *file = fopen("/proc/sys/vm/max_map_count", "r")) {
        if (fscanf(file, "%ld", &maps) != 1)
            maps = 65530;
        fclose(file);
    }
    w->guarded = (long)processors() * 2 * (long)MAX_THREADS < maps / 2;
    size_t shared = 256 * 1024, guard = 64 * 1024, stacks = MAX_THREADS * (STACK + STACK_GUARD);
    char *map = (char *)mmap(nullptr, stacks, w->guarded ? PROT_NONE : PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char *area =
        (char *)mmap(nullptr, shared + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || area == MAP_FAILED ||
        mprotect(area + guard, shared, PROT_READ | PROT_WRITE) != 0) {
        fprintf(stderr, "cudacpu: no memory for the stacks of a block (%zu bytes)\n", stacks);
        exit(1);
    }
    w->stacks = map;
    w->shared = area;
    w->shared_end = area + guard + shared;
    prepare_signal_stack();
    return w;
}

void work(launch_state *l) {
    if (!self)
        self = make_worker();
    worker *w = self;
    w->launch = l;
    w->threads = l->block.x * l->block.y * l->block.z;
    w->here->block_dim = l->block;
    w->here->grid_dim = l->grid;
    cudacpu_dynamic_shared = w->shared_end - (l->shared_bytes + 15) / 16 * 16;
    while (!l->failed) {
        uint64_t number = l->next.fetch_add(1);
        if (number >= l->blocks)
            break;
        run_block(w, number);
    }
    w->launch = nullptr;
}

/* ---- one OS thread per core; the one that launches is the first ---- */

struct pool {
    pid_t process;
    std::mutex lock;
    std::condition_variable wake, done;
    launch_state *job;
    uint64_t generation;
    int size, busy;
};
pool *helpers;

void helper_main(pool *p) {
    uint64_t seen = 0;
    std::unique_lock<std::mutex> guard(p->lock);
    for (;;) {
        p->wake.wait(guard, [&] { return p->generation != seen; });
        seen = p->generation;
        launch_state *job = p->job;
        guard.unlock();
        work(job);
        guard.lock();
        if (--p->busy == 0)
            p->done.notify_one();
    }
}

void run_grid(launch_state *l, bool alone) {
    int others = processors() - 1;
    if (alone || l->blocks == 1 || others == 0) {
        work(l);
        return;
    }
    if (!helpers || helpers->process != getpid()) { /* after a fork the threads are gone */
        helpers = new pool();
        helpers->process = getpid();
        for (int i = 0; i < others; i++) {
            try {
                std::thread(helper_main, helpers).detach();
                helpers->size++;
            } catch (...) {
                break;
            }
        }
    }
    {
        std::lock_guard<std::mutex> guard(helpers->lock);
        helpers->job = l;
        helpers->busy = helpers->size;
        helpers->generation++;
    }
    helpers->wake.notify_all();
    work(l);
    std::unique_lock<std::mutex> guard(helpers->lock);
    helpers->done.wait(guard, [] { return helpers->busy == 0; });
}

damage looked_for;
bool checking_first;

/* A byte beyond an allocation has changed. Runs the grid again, one thread at a time, to see who
 * does it, then that block with each access to the page watched, to see where. The results are lost
 * already: the process ends. */
[[noreturn]] void find_culprit(launch_state *l, const damage &found) {
    looked_for = found;
    restore_pattern(found);
    fflush(stdout);
    int quiet = dup(1);
    if (freopen("/dev/null", "w", stdout) == nullptr) /* what the kernel prints, it has printed */
        close(1);
    (void)quiet;
    l->next = 0;
    l->failed = false;
    l->checking = checking_first = true;
    run_grid(l, true);
    ptrdiff_t past = found.first - (found.where->data + found.where->bytes);
    fprintf(stderr,
            "cudacpu: kernel %s, launched at %s:%d, wrote %td bytes %s a %zu-byte allocation\n",
            l->what->name, l->file, l->line, past >= 0 ? past + 1 : found.where->data - found.first,
            past >= 0 ? "past" : "before", found.where->bytes);
    end_process(1);
}

/* Called after each step of a thread while a culprit is looked for: true when it was this thread,
 * and the block is to run again. */
bool damaged(const fiber *f) {
    damage now;
    if (!find_damage(&now))
        return false;
    worker *w = self;
    launch_state *l = w->launch;
    restore_pattern(now);
    if (checking_first && can_watch()) { /* this block again, watched; fault.cpp reports */
        checking_first = false;
        uint3 b = w->here->block;
        l->next = ((uint64_t)b.z * l->grid.y + b.y) * l->grid.x + b.x;
        l->blocks = l->next + 1;
        l->checking = false;
        watch(now);
        return true;
    }
    ptrdiff_t past = now.first - (now.where->data + now.where->bytes);
    fprintf(stderr,
            "cudacpu: kernel %s: block %s thread %s wrote %td bytes %s a %zu-byte allocation, "
            "launched at %s:%d\n",
            l->what->name, triple(w->here->block).c_str(), triple(f->index).c_str(),
            past >= 0 ? past + 1 : now.where->data - now.first, past >= 0 ? "past" : "before",
            now.where->bytes, l->file, l->line);
    end_process(1);
}

} // namespace

void end_process(int status) {
    if (observing)
        observing->process_ends();
    fflush(stderr);
    _exit(status);
}

bool running(running_thread *who) {
    if (!self || !self->launch)
        return false;
    launch_state *l = self->launch;
    *who = {l->what->name, l->file, l->line, self->here->block, self->here->thread};
    return true;
}

bool in_stack_guard(const void *address) {
    const char *p = (const char *)address;
    if (!self || p < self->stacks || p >= self->stacks + MAX_THREADS * (STACK + STACK_GUARD))
        return false;
    return (size_t)(p - self->stacks) % (STACK + STACK_GUARD) < STACK_GUARD;
}

void wait_outside_kernel(const site *where) {
    fprintf(stderr, "cudacpu: __syncthreads() outside a kernel at %s:%d\n", where->file,
            where->line);
    exit(1);
}

void barrier(const site *where) { wait_at(where); }

int barrier_reduce(reduction operation, int predicate, const char *file, int line) {
    site here = {file, line};
    worker *w = self;
    if (w) {
        w->accumulated[0] += predicate != 0;
        w->accumulated[1]++;
    }
    wait_at(&here);
    return operation == REDUCE_COUNT ? w->result[0]
           : operation == REDUCE_AND ? w->result[0] == w->result[1]
                                     : w->result[0] != 0;
}

uint64_t warp(unsigned mask, warp_operation operation, uint64_t value, int source, const char *file,
              int line) {
    worker *w = self;
    fiber *f = cudacpu_current;
    if (!f) {
        fprintf(stderr, "cudacpu: a warp function outside a kernel at %s:%d\n", file, line);
        exit(1);
    }
    if (!(mask >> (f->thread & 31) & 1)) {
        fail_launch(cudaErrorLaunchFailure,
                    "thread " + triple(f->index) + " is not in the mask of its warp function at " +
                        file + ":" + std::to_string(line),
                    "wrong mask", file, line);
        abort_block();
    }
    warp_call *call = &w->calls[f->thread];
    *call = {true, mask, value, 0, source, operation};
    w->warp_waiting++;
    site here = {file, line};
    wait_at(&here);
    return call->result;
}

unsigned active_mask() {
    worker *w = self;
    unsigned first = cudacpu_current->thread & ~31u, mask = 0;
    for (unsigned l = 0; l < 32 && first + l < w->threads; l++)
        mask |= (unsigned)!w->done[first + l] << l;
    return mask;
}

int lane() { return (int)(here().number & 31); }

void trap(const char *file, int line) {
    fail_launch(cudaErrorLaunchFailure,
                "thread " + triple(self->here->thread) + " called __trap() at " + file + ":" +
                    std::to_string(line),
                "trap", file, line);
    abort_block();
    __builtin_unreachable();
}

void launch(const kernel &k, dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream,
            const char *file, int line) {
    if (sticky_error()) {
        report(sticky_error());
        return;
    }
    auto refuse = [&](cudaError_t error) {
        if (observing)
            observing->launch_refused(k.name, error, file, line);
        report(error);
    };
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (!grid.x || !grid.y || !grid.z || !threads || block.x > MAX_THREADS ||
        block.y > MAX_THREADS || block.z > 64 || threads > MAX_THREADS || grid.x > 2147483647u ||
        grid.y > 65535 || grid.z > 65535) {
        refuse(cudaErrorInvalidConfiguration);
        return;
    }
    if (shared_bytes > dynamic_limit(k.address)) {
        refuse(cudaErrorInvalidValue);
        return;
    }
    if (!valid_stream(stream)) {
        refuse(cudaErrorInvalidResourceHandle);
        return;
    }
    install_fault_handler();
    launch_state l;
    l.what = &k;
    l.grid = grid;
    l.block = block;
    l.shared_bytes = shared_bytes;
    l.file = file;
    l.line = line;
    l.blocks = (uint64_t)grid.x * grid.y * grid.z;
    l.next = 0;
    l.failed = l.warned = false;
    l.error = cudaSuccess;
    l.checking = false;
    open_memory();
    if (observing)
        observing->launch_begins(k, grid, block, file, line);
    run_grid(&l, false);
    damage found;
    if (observing)
        observing->launch_ends();
    else if (find_damage(&found))
        find_culprit(&l, found);
    close_memory();
    if (l.error)
        make_sticky(l.error);
}

} // namespace cudacpu

long long clock64() {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* assert() in a kernel ends the launch, as on a device; elsewhere the program. It takes the C
 * library's place. */
extern "C" void __assert_fail(const char *expression, const char *file, unsigned line,
                              const char *function) noexcept {
    cudacpu::running_thread who;
    fflush(stdout);
    if (!cudacpu::running(&who)) {
        fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
        abort();
    }
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            file, line, function, who.block.x, who.block.y, who.block.z, who.thread.x, who.thread.y,
            who.thread.z, expression);
    if (cudacpu::observing)
        cudacpu::observing->fault("assert", file, (int)line, expression);
    cudacpu::self->launch->error = cudaErrorAssert;
    cudacpu::abort_block();
    __builtin_unreachable();
}
