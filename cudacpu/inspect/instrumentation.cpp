/* instrumentation.cpp - what the compiler calls. The kernel's file is compiled with -O0
 * -fsanitize=thread: the compiler then calls a function of the name __tsan_... for each load and
 * store, and here those functions are ours. No sanitizer runtime is linked. */
#include "access.h"
#include "knowledge.h"
#include "runtime/host/observer.h"
#include "shared_variables.h"
#include <cstring>

namespace cudacpu::inspect {

void record_misaligned(const instruction *s, uintptr_t address, unsigned size) {
    record_access_fault(
        "misaligned", s->return_address, address,
        text("an access of ", size, " bytes at an address that is no multiple of ", size));
}

void observe_range(const void *p, size_t bytes, bool write, void *return_address) {
    unsigned size = 16;
    while (((uintptr_t)p | bytes) % size)
        size /= 2;
    if (this_worker) {
        begin_access(this_worker, write);
        this_worker->range = bytes;
    }
    for (size_t done = 0; done < bytes; done += size)
        observe_access((char *)p + done, size, write, false, return_address);
    if (this_worker)
        this_worker->range = 0;
}

} // namespace cudacpu::inspect

using namespace cudacpu::inspect;

/* Rare beside plain accesses, so not inlined. */
static void __attribute__((noinline))
observe_atomic(const volatile void *p, unsigned size, bool write, void *return_address,
               bool counted = true) {
    observe_access((void *)p, size, write, true, return_address, counted);
}

static void observe_volatile(void *p, unsigned size, bool write, void *return_address) {
    if (this_worker)
        this_worker->is_volatile = true;
    observe_access(p, size, write, false, return_address);
    if (this_worker)
        this_worker->is_volatile = false;
}

/* An atomicCAS, which writes nothing where it finds another value: it is observed when it is done,
 * and must not be done where it would destroy something. A weak exchange is a part of cudacpu's own
 * atomic functions, which try again where another thread came first: the last counts, and none of
 * them is an atomicCAS of the program. */
template <class T>
static bool compare_exchange(volatile T *p, T *expected, T v, bool weak, int order,
                             void *return_address) {
    before_atomic_write(p, order);
    observed_worker *w = observed();
    instruction *s =
        w ? find_instruction(w, (uintptr_t)p, sizeof v, true, true, return_address) : nullptr;
    if (s && s->what == GLOBAL && s->where->fill)
        note_host_writes(s, (uintptr_t)p, sizeof v);
    const bool done =
        __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    after_atomic_read(p);
    if (w) {
        w->is_exchange = !weak;
        w->has_failed = !done;
        observe_atomic(p, sizeof v, true, return_address, done || !weak);
        w->is_exchange = w->has_failed = false;
    }
    return done;
}

/* Apart, so that what runs for each basic block needs no frame. */
static void __attribute__((noinline, cold)) note_executed(observed_worker *w, uint32_t offset) {
    w->executed_at.push_back(offset);
}

/* Apart from what is_ordinary() tells, so that this needs no stack. */
template <unsigned SIZE, bool WRITE>
static void __attribute__((noinline)) observe_closely(void *p, void *return_address, void *frame) {
    observe_access(p, SIZE, WRITE, false, cudacpu::find_program_caller(return_address, frame));
}
template <unsigned SIZE, bool WRITE>
static inline __attribute__((always_inline)) void observe_plain(void *p, void *return_address,
                                                                void *frame) {
    if (!is_ordinary((uintptr_t)p, SIZE, WRITE, return_address))
        observe_closely<SIZE, WRITE>(p, return_address, frame);
}
#define CALLER __builtin_return_address(0), __builtin_frame_address(0)

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}

#define PLAIN(prefix, size)                                                                        \
    void __tsan_##prefix##read##size(void *p) { observe_plain<size, false>(p, CALLER); }           \
    void __tsan_##prefix##write##size(void *p) { observe_plain<size, true>(p, CALLER); }
#define VOLATILE_ACCESS(prefix, size)                                                              \
    void __tsan_##prefix##volatile_read##size(void *p) {                                           \
        observe_volatile(p, size, false, PROGRAM_CALLER);                                          \
        after_atomic_read(p);                                                                      \
    }                                                                                              \
    void __tsan_##prefix##volatile_write##size(void *p) {                                          \
        before_atomic_write(p, __ATOMIC_RELAXED);                                                  \
        observe_volatile(p, size, true, PROGRAM_CALLER);                                           \
    }
#define EACH_SIZE(define, prefix)                                                                  \
    define(prefix, 1) define(prefix, 2) define(prefix, 4) define(prefix, 8) define(prefix, 16)
EACH_SIZE(PLAIN, )
EACH_SIZE(PLAIN, unaligned_)
EACH_SIZE(VOLATILE_ACCESS, )
EACH_SIZE(VOLATILE_ACCESS, unaligned_)
/* The pointer to a class's virtual functions, which its constructors write. */
void __tsan_vptr_update(void **p, void *) {
    observe_access(p, sizeof *p, true, false, PROGRAM_CALLER);
}
void __tsan_vptr_read(void **p) { observe_access(p, sizeof *p, false, false, PROGRAM_CALLER); }
/* A structure that is copied whole. */
void __tsan_read_range(void *p, size_t bytes) { observe_range(p, bytes, false, PROGRAM_CALLER); }
void __tsan_write_range(void *p, size_t bytes) { observe_range(p, bytes, true, PROGRAM_CALLER); }

/* The start of a basic block. */
void __sanitizer_cov_trace_pc() {
    observed_worker *w = this_worker;
    const uintptr_t offset = (uintptr_t)__builtin_return_address(0) - program_text;
    if (w && w->active && offset < program_text_bytes &&
        __builtin_expect(!w->executed[offset]++, 0))
        note_executed(w, (uint32_t)offset);
}

/* cpucc renames an observed file's calls of these. */
#define COPY(name)                                                                                 \
    void *cudacpu_observed_##name(void *to, const void *from, size_t bytes) {                      \
        observe_range(from, bytes, false, PROGRAM_CALLER);                                         \
        observe_range(to, bytes, true, PROGRAM_CALLER);                                            \
        return name(to, from, bytes);                                                              \
    }
COPY(memcpy)
COPY(memmove)
void *cudacpu_observed_memset(void *to, int value, size_t bytes) {
    const observed_worker *w = observed(); /* variables are filled so when they begin (stack.h) */
    if (!w || (uintptr_t)to - (uintptr_t)w->stacks >= w->stacks_bytes || w->registers)
        observe_range(to, bytes, true, PROGRAM_CALLER);
    return memset(to, value, bytes);
}

/* A matrix that a wmma function loads or stores. Behind its variable lies another one. */
void cudacpu_observed_matrix(const void *p, size_t bytes, bool write, const char *file, int line) {
    const observed_worker *w = observed();
    if (!w || (uintptr_t)p - w->tls >= w->tls_bytes)
        return;
    const std::string excess = describe_excess((uintptr_t)p - w->tls, bytes);
    if (!excess.empty())
        record_fault("out of bounds", {file, line}, (write ? "wrote " : "read ") + excess);
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
    if (this_worker && this_worker->active)
        record_fault("out of bounds", {data->file, (int)data->line},
                     text("index ", (long)index, " of an array of type ", data->array->name));
}

/* Atomic accesses are calls altogether: done here, and seen. clang calls the last function for weak
 * and strong exchanges: there the order tells them apart. */
#define FETCH(bits, T, name, function)                                                             \
    T __tsan_atomic##bits##_##name(volatile T *p, T v, int order) {                                \
        before_atomic_write(p, order);                                                             \
        observe_atomic(p, bits / 8, true, PROGRAM_CALLER);                                         \
        const T before = function(p, v, __ATOMIC_SEQ_CST);                                         \
        after_atomic_read(p);                                                                      \
        return before;                                                                             \
    }
#define COMPARE_EXCHANGE(bits, T, strength, weak)                                                  \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile T *p, T *expected, T v,         \
                                                          int order, int) {                        \
        return compare_exchange(p, expected, v, weak, order, PROGRAM_CALLER);                      \
    }
#define ATOMICS(bits, T)                                                                           \
    T __tsan_atomic##bits##_load(const volatile T *p, int) {                                       \
        observe_atomic(p, bits / 8, false, PROGRAM_CALLER, false);                                 \
        const T value = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                      \
        after_atomic_read(p);                                                                      \
        return value;                                                                              \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile T *p, T v, int order) {                              \
        before_atomic_write(p, order);                                                             \
        observe_atomic(p, bits / 8, true, PROGRAM_CALLER);                                         \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                              \
    FETCH(bits, T, exchange, __atomic_exchange_n)                                                  \
    FETCH(bits, T, fetch_add, __atomic_fetch_add)                                                  \
    FETCH(bits, T, fetch_sub, __atomic_fetch_sub)                                                  \
    FETCH(bits, T, fetch_and, __atomic_fetch_and)                                                  \
    FETCH(bits, T, fetch_or, __atomic_fetch_or)                                                    \
    FETCH(bits, T, fetch_xor, __atomic_fetch_xor)                                                  \
    COMPARE_EXCHANGE(bits, T, strong, false)                                                       \
    COMPARE_EXCHANGE(bits, T, weak, true)                                                          \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T v, int order, int) { \
        compare_exchange(p, &expected, v, order == __ATOMIC_RELAXED, order, PROGRAM_CALLER);       \
        return expected;                                                                           \
    }
ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned)
ATOMICS(64, unsigned long)
void __tsan_atomic_thread_fence(int) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    on_fence();
}
void __tsan_atomic_signal_fence(int) {}
}
