/* launch.cpp - runs a grid: blocks on OS threads, the threads of a block on fibers that exist only where a barrier
 * needs them. The cost of a barrier is one jump per thread: about 20 cycles. */
#include "internal.h"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <setjmp.h>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <time.h>
#include <ucontext.h>
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
/* ASan clears the stack before a call that does not return, knows no fibers, and complains: it is not told. */
#ifdef CUDACPU_ASAN
#define LEAVES_FIBER
#else
#define LEAVES_FIBER [[noreturn]]
#endif

__thread char cudacpu_coordinates_storage[sizeof(cudacpu::coordinates)] __attribute__((aligned(16)));
__thread char *cudacpu_dynamic_shared;

namespace cudacpu {
namespace {

const unsigned MAX_THREADS = 1024;
const size_t STACK = 64 * 1024, STACK_GUARD = 4096;

/* ---- contexts: save here, go on there ----
 * The registers that a function must preserve are named as clobbered, so that the compiler saves those in use. The jump
 * goes through a register: a return would be mispredicted each time. */
#if defined(__x86_64__) && !defined(CUDACPU_FIBER_SETJMP)
struct context {
    void *sp, *bp, *pc;
};
inline __attribute__((always_inline)) void switch_to(context *from, context *to) {
    __asm__ volatile("leaq 1f(%%rip), %%rax\n\t"
                     "movq %%rsp, 0(%0)\n\t"
                     "movq %%rbp, 8(%0)\n\t"
                     "movq %%rax, 16(%0)\n\t"
                     "movq 16(%1), %%rax\n\t"
                     "movq 0(%1), %%rsp\n\t"
                     "movq 8(%1), %%rbp\n\t"
                     "jmp *%%rax\n"
                     "1:"
                     : "+D"(from), "+S"(to)
                     :
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc",
                       "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                       "xmm12", "xmm13", "xmm14", "xmm15");
}
void prepare(context *c, char *stack_top, size_t, void (*entry)()) {
    void **sp = (void **)((uintptr_t)stack_top & ~(uintptr_t)15) - 1;
    *sp = nullptr; /* no caller */
    *c = {sp, nullptr, (void *)entry};
}
#elif defined(__aarch64__) && !defined(CUDACPU_FIBER_SETJMP)
struct context {
    void *sp, *fp, *pc;
};
inline __attribute__((always_inline)) void switch_to(context *from, context *to) {
    register context *x0 __asm__("x0") = from;
    register context *x1 __asm__("x1") = to;
    __asm__ volatile("adr x2, 1f\n\t"
                     "mov x3, sp\n\t"
                     "stp x3, x29, [x0]\n\t"
                     "str x2, [x0, #16]\n\t"
                     "ldp x3, x29, [x1]\n\t"
                     "ldr x2, [x1, #16]\n\t"
                     "mov sp, x3\n\t"
                     "br x2\n"
                     "1:"
                     : "+r"(x0), "+r"(x1)
                     :
                     : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16",
                       "x17", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "memory", "cc",
                       "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14",
                       "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",
                       "v29", "v30", "v31");
}
void prepare(context *c, char *stack_top, size_t, void (*entry)()) {
    *c = {(void *)((uintptr_t)stack_top & ~(uintptr_t)15), nullptr, (void *)entry};
}
#else
/* Portable: setjmp between stacks, ucontext to enter a new one. */
struct context {
    jmp_buf registers;
    ucontext_t start;
    bool fresh;
};
inline __attribute__((always_inline)) void switch_to(context *from, context *to) {
    if (_setjmp(from->registers) == 0) {
        if (to->fresh) {
            to->fresh = false;
            setcontext(&to->start);
        }
        _longjmp(to->registers, 1);
    }
}
void prepare(context *c, char *stack_top, size_t size, void (*entry)()) {
    getcontext(&c->start);
    c->start.uc_stack.ss_sp = stack_top - size;
    c->start.uc_stack.ss_size = size;
    c->start.uc_link = nullptr;
    makecontext(&c->start, entry, 0);
    c->fresh = true;
}
#endif

struct site {
    const char *file;
    int line;
};
bool operator!=(const site &a, const site &b) { return a.line != b.line || a.file != b.file; }

struct fiber {
    context saved;
    char *stack; /* its lowest address */
    uint3 index; /* threadIdx of the CUDA thread that it runs */
    unsigned thread;
    site waits_at;
    bool in_warp_wait;
    /* a warp operation under way */
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
    context main;
    launch_state *launch;
    coordinates *here;
    fiber *current;
    fiber fibers[MAX_THREADS];
    unsigned made; /* fibers that have a stack with a context in it */
    fiber *idle[MAX_THREADS];
    unsigned idle_count;
    /* threads of the block: not yet started, ready to go on, waiting at a barrier, waiting for their warp */
    unsigned threads, started, ended, warp_waiting;
    uint3 next_index;
    fiber **ready, **waiting, *queues[2][MAX_THREADS];
    unsigned ready_head, ready_count, waiting_count;
    site barrier_site;
    bool mismatch;
    int accumulated[2], result[2]; /* count of true, of all */
    fiber *by_thread[MAX_THREADS]; /* the fiber that runs a thread; NULL before it starts and after it ended */
    bool done[MAX_THREADS];
    unsigned early; /* a thread that ended, for the warning */
    bool aborted;
    char *stacks, *shared, *shared_end;
    bool guarded;
    const unsigned short *order; /* the observer's order of the threads, or NULL */
};

__thread worker *self;

void schedule(fiber *from);

LEAVES_FIBER void abort_block() {
    worker *w = self;
    w->aborted = true;
    w->launch->failed = true;
    context unused;
    switch_to(&unused, &w->main);
#ifndef CUDACPU_ASAN
    __builtin_unreachable();
#endif
}

std::string triple(unsigned x, unsigned y, unsigned z) {
    std::string text = "(" + std::to_string(x) + "," + std::to_string(y);
    return text + (z ? "," + std::to_string(z) : "") + ")";
}
std::string triple(uint3 v) { return triple(v.x, v.y, v.z); }

void fail_launch(cudaError_t error, const std::string &message, const char *kind, const char *file, int line) {
    launch_state *l = self->launch;
    static std::mutex one;
    std::lock_guard<std::mutex> guard(one);
    if (!l->failed.exchange(true)) {
        l->error = error;
        fflush(stdout);
        fprintf(stderr, "cudacpu: kernel %s: block %s: %s\n", l->what->name, triple(self->here->block).c_str(), message.c_str());
        if (observing)
            observing->fault(kind, file, line, message.c_str());
    }
}

/* Threads that wait at different barriers, or for a warp that will not come. */
LEAVES_FIBER void fail_barrier(worker *w) {
    std::string message = "its threads wait at different barriers:";
    std::vector<site> sites;
    for (int round = 0; round < 2; round++)
        for (unsigned t = 0; t < w->threads; t++) {
            fiber *f = w->by_thread[t];
            if (!f)
                continue;
            bool known = false;
            for (auto &s : sites)
                known = known || !(s != f->waits_at);
            if (known)
                continue;
            sites.push_back(f->waits_at);
            unsigned count = 0;
            for (unsigned u = 0; u < w->threads; u++)
                count += w->by_thread[u] && !(w->by_thread[u]->waits_at != f->waits_at);
            message += (sites.size() > 1 ? "; " : " ") + std::string("thread ") + triple(f->index) +
                       (count > 1 ? " and " + std::to_string(count - 1) + " more" : "") + " at " + f->waits_at.file + ":" +
                       std::to_string(f->waits_at.line) + (f->in_warp_wait ? " (its warp)" : "");
        }
    if (w->ended)
        message += "; " + std::to_string(w->ended) + " ended";
    fail_launch(cudaErrorLaunchFailure, message, "divergent barrier", sites[0].file, sites[0].line);
    abort_block();
}

void open_barrier(worker *w) {
    if (w->mismatch || w->warp_waiting)
        fail_barrier(w);
    if (w->ended && !w->launch->warned.exchange(true)) {
        if (observing)
            observing->fault("divergent barrier", w->barrier_site.file, w->barrier_site.line,
                             "the barrier opened after threads of the block had ended without reaching it");
        unsigned x = w->early % w->launch->block.x, y = w->early / w->launch->block.x % w->launch->block.y,
                 z = w->early / w->launch->block.x / w->launch->block.y;
        fprintf(stderr,
                "cudacpu: warning: kernel %s: block %s: the barrier at %s:%d opened after thread %s had ended without "
                "reaching it\n",
                w->launch->what->name, triple(w->here->block).c_str(), w->barrier_site.file, w->barrier_site.line,
                triple(x, y, z).c_str());
    }
    w->result[0] = w->accumulated[0];
    w->result[1] = w->accumulated[1];
    w->accumulated[0] = w->accumulated[1] = 0;
    fiber **queue = w->ready;
    w->ready = w->waiting;
    w->waiting = queue;
    w->ready_head = 0;
    w->ready_count = w->waiting_count;
    w->waiting_count = 0;
    if (observing) {
        observing->barrier_opens(&w->order);
        for (unsigned i = 0, ready = 0; i < w->threads; i++)
            if (w->by_thread[w->order[i]])
                w->ready[ready++] = w->by_thread[w->order[i]];
    }
}

/* Runs CUDA threads until there is nothing left that this fiber could start. */
void fiber_main() {
    for (;;) {
        worker *w = self;
        fiber *f = w->current;
        while (w->started < w->threads) {
            f->thread = w->started++;
            f->index = w->here->thread = w->next_index;
            if (++w->next_index.x == w->here->block_dim.x) {
                w->next_index.x = 0;
                if (++w->next_index.y == w->here->block_dim.y) {
                    w->next_index.y = 0;
                    w->next_index.z++;
                }
            }
            if (w->order) {
                unsigned t = f->thread = w->order[f->thread], x = w->here->block_dim.x, y = w->here->block_dim.y;
                f->index = w->here->thread = {t % x, t / x % y, t / x / y};
            }
            w->by_thread[f->thread] = f;
            w->launch->what->run(w->launch->what->arguments);
            if (w->launch->checking)
                check_damage_now();
            w->by_thread[f->thread] = nullptr;
            w->done[f->thread] = true;
            w->early = f->thread;
            w->ended++;
        }
        w->idle[w->idle_count++] = f;
        schedule(f);
    }
}

fiber *new_fiber(worker *w) {
    if (w->idle_count)
        return w->idle[--w->idle_count];
    unsigned i = w->made++;
    fiber *f = &w->fibers[i];
    f->stack = w->stacks + i * (STACK + STACK_GUARD) + STACK_GUARD;
    if (w->guarded)
        mprotect(f->stack, STACK, PROT_READ | PROT_WRITE);
    size_t shift = i * 448 % 4096; /* stacks at equal distances would share the sets of the cache */
    prepare(&f->saved, f->stack + STACK - shift, STACK - shift, fiber_main);
    return f;
}

bool warp_ready(worker *w, fiber *f);

/* Leaves the current fiber, which waits or is idle, for the next thread of the block that can run. */
void schedule(fiber *from) {
    worker *w = self;
    fiber *to;
    for (;;) {
        if (w->ready_count) {
            to = w->ready[w->ready_head++ % MAX_THREADS];
            w->ready_count--;
            break;
        }
        if (w->started < w->threads) {
            to = new_fiber(w);
            break;
        }
        if (w->waiting_count) {
            open_barrier(w);
            continue;
        }
        if (w->warp_waiting) {
            bool woke = false; /* lanes that ended do not keep their warp waiting */
            for (unsigned t = 0; t < w->threads && !woke; t++)
                if (w->by_thread[t] && w->by_thread[t]->in_warp_wait)
                    woke = warp_ready(w, w->by_thread[t]);
            if (woke)
                continue;
            fail_barrier(w);
        }
        switch_to(&from->saved, &w->main); /* the block is done */
        return;
    }
    if (to == from)
        return;
    w->current = to;
    w->here->thread = to->index;
    switch_to(&from->saved, &to->saved);
}

/* All lanes that f waits for are there: gives each its result and makes them ready. */
bool warp_ready(worker *w, fiber *f) {
    unsigned first = f->thread & ~31u;
    fiber *lanes[32];
    for (unsigned l = 0; l < 32; l++) {
        lanes[l] = nullptr;
        if (!(f->mask >> l & 1) || first + l >= w->threads || w->done[first + l])
            continue;
        lanes[l] = w->by_thread[first + l];
        if (!lanes[l] || !lanes[l]->in_warp_wait || lanes[l]->mask != f->mask)
            return false;
    }
    for (unsigned l = 0; l < 32; l++) {
        fiber *g = lanes[l];
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
                case WARP_BALLOT: all |= (v & 1) << m; break;
                case WARP_MATCH: all |= (uint64_t)(v == g->value) << m; break;
                case WARP_ADD: all += v; break;
                case WARP_MIN: all = any && all < v ? all : v; break;
                case WARP_MAX: all = any && all > v ? all : v; break;
                case WARP_AND: all = any ? all & v : v; break;
                case WARP_OR: all |= v; break;
                default: all ^= v; break;
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
            lanes[l]->in_warp_wait = false;
            w->warp_waiting--;
            w->ready[(w->ready_head + w->ready_count++) % MAX_THREADS] = lanes[l];
        }
    return true;
}

/* The block's coordinates and one pass over its threads. */
void run_block(worker *w, uint64_t number) {
    launch_state *l = w->launch;
    w->here->block.x = (unsigned)(number % l->grid.x);
    w->here->block.y = (unsigned)(number / l->grid.x % l->grid.y);
    w->here->block.z = (unsigned)(number / l->grid.x / l->grid.y);
    w->started = w->ended = w->warp_waiting = 0;
    w->next_index = {0, 0, 0};
    w->ready_head = w->ready_count = w->waiting_count = 0;
    w->mismatch = false;
    w->accumulated[0] = w->accumulated[1] = 0;
    memset(w->done, 0, w->threads);
    if (observing)
        observing->block_begins(number, w->threads, cudacpu_dynamic_shared, l->shared_bytes, w->stacks,
                                MAX_THREADS * (STACK + STACK_GUARD), &w->order);
    w->current = new_fiber(w);
    switch_to(&w->main, &w->current->saved);
    if (observing)
        observing->block_ends();
    if (w->aborted) { /* its fibers stand anywhere: begin with new ones */
        w->made = w->idle_count = 0;
        memset(w->by_thread, 0, sizeof w->by_thread);
#ifdef CUDACPU_ASAN
        __asan_unpoison_memory_region(w->stacks, MAX_THREADS * (STACK + STACK_GUARD));
#endif
    }
}

worker *make_worker() {
    worker *w = new worker();
    w->ready = w->queues[0];
    w->waiting = w->queues[1];
    w->here = reinterpret_cast<coordinates *>(cudacpu_coordinates_storage);
    /* A guard page below each stack costs two memory maps; where their number is limited, there are none. */
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
    char *area = (char *)mmap(nullptr, shared + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || area == MAP_FAILED || mprotect(area + guard, shared, PROT_READ | PROT_WRITE) != 0) {
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
    w->aborted = false;
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

/* A byte beyond an allocation has changed. Runs the grid again, one thread at a time, to see who does it, then that
 * block with each access to the page watched, to see where. The results are lost already: the process ends. */
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
    fprintf(stderr, "cudacpu: kernel %s, launched at %s:%d, wrote %td bytes %s a %zu-byte allocation\n", l->what->name, l->file,
            l->line, past >= 0 ? past + 1 : found.where->data - found.first, past >= 0 ? "past" : "before", found.where->bytes);
    end_process(1);
}

} // namespace

/* Called after each step of a thread while a culprit is looked for. */
void check_damage_now() {
    damage now;
    if (!find_damage(&now))
        return;
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
        w->aborted = true;
        context unused;
        switch_to(&unused, &w->main);
    }
    ptrdiff_t past = now.first - (now.where->data + now.where->bytes);
    fprintf(stderr, "cudacpu: kernel %s: block %s thread %s wrote %td bytes %s a %zu-byte allocation, launched at %s:%d\n",
            l->what->name, triple(w->here->block).c_str(), triple(w->here->thread).c_str(),
            past >= 0 ? past + 1 : now.where->data - now.first, past >= 0 ? "past" : "before", now.where->bytes, l->file, l->line);
    end_process(1);
}

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

__attribute__((noinline)) int barrier(reduction operation, int predicate, const char *file, int line) {
    worker *w = self;
    if (!w || !w->launch) {
        fprintf(stderr, "cudacpu: __syncthreads() outside a kernel at %s:%d\n", file, line);
        exit(1);
    }
    fiber *f = w->current;
    site here = {file, line};
    f->waits_at = here;
    if (w->waiting_count == 0)
        w->barrier_site = here;
    else if (w->barrier_site != here)
        w->mismatch = true;
    w->accumulated[0] += predicate != 0;
    w->accumulated[1]++;
    w->waiting[w->waiting_count++] = f;
    if (w->launch->checking)
        check_damage_now();
    if (w->ready_count) { /* the usual case, without a call */
        fiber *to = w->ready[w->ready_head++ % MAX_THREADS];
        w->ready_count--;
        w->current = to;
        w->here->thread = to->index;
        switch_to(&f->saved, &to->saved);
    } else {
        schedule(f);
    }
    if (operation == REDUCE_NONE)
        return 0;
    w = self;
    return operation == REDUCE_COUNT ? w->result[0] : operation == REDUCE_AND ? w->result[0] == w->result[1] : w->result[0] != 0;
}

uint64_t warp(unsigned mask, warp_operation operation, uint64_t value, int source, const char *file, int line) {
    worker *w = self;
    if (!w || !w->launch) {
        fprintf(stderr, "cudacpu: a warp function outside a kernel at %s:%d\n", file, line);
        exit(1);
    }
    fiber *f = w->current;
    if (!(mask >> (f->thread & 31) & 1)) {
        fail_launch(cudaErrorLaunchFailure, "thread " + triple(f->index) + " is not in the mask of its warp function at " + file +
                                                ":" + std::to_string(line), "wrong mask", file, line);
        abort_block();
    }
    f->waits_at = {file, line};
    f->mask = mask;
    f->operation = operation;
    f->value = value;
    f->source = source;
    f->in_warp_wait = true;
    w->warp_waiting++;
    warp_ready(w, f);
    schedule(f);
    return f->result;
}

unsigned active_mask() {
    worker *w = self;
    unsigned first = w->current->thread & ~31u, mask = 0;
    for (unsigned l = 0; l < 32 && first + l < w->threads; l++)
        mask |= (unsigned)!w->done[first + l] << l;
    return mask;
}

int lane() {
    return (int)(self->current->thread & 31);
}

void trap(const char *file, int line) {
    fail_launch(cudaErrorLaunchFailure, "thread " + triple(self->here->thread) + " called __trap() at " + file + ":" + std::to_string(line), "trap", file, line);
    abort_block();
    __builtin_unreachable();
}

void launch(const kernel &k, dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream, const char *file, int line) {
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
    if (!grid.x || !grid.y || !grid.z) { /* as CUDA 13 answers */
        refuse(cudaErrorInvalidValue);
        return;
    }
    if (!threads || block.x > MAX_THREADS || block.y > MAX_THREADS || block.z > 64 || threads > MAX_THREADS || grid.x > 2147483647u || grid.y > 65535 || grid.z > 65535) {
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

/* assert() in a kernel ends the launch, as on a device; elsewhere the program. It takes the place of the C library's. */
extern "C" void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) noexcept {
    cudacpu::running_thread who;
    fflush(stdout);
    if (!cudacpu::running(&who)) {
        fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
        abort();
    }
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line, function,
            who.block.x, who.block.y, who.block.z, who.thread.x, who.thread.y, who.thread.z, expression);
    if (cudacpu::observing)
        cudacpu::observing->fault("assert", file, (int)line, expression);
    cudacpu::self->launch->error = cudaErrorAssert;
    cudacpu::abort_block();
    __builtin_unreachable();
}
