/* heap.c - in the student's process: the heap that the student's host code has. What it does wrong
 * there is named: a write past a block, a block that is freed twice, memory of CUDA that is given
 * to free(), and a block that is given to a copy after its free(). cudacpu's runtime and ours keep
 * the C library's.
 *
 * programs.py renames the student's calls of malloc and its kin to these, and those of new[] and
 * delete[]: what new gives is the C++ library's, which frees some of it itself. */
#define _GNU_SOURCE
#include "gap.h"
#include "lab.h"
#include "runner.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { FENCE = 16, MARK = 0xA5, LIVE = 1, FREED = 2 };
static const char MALLOC[] = "malloc", NEW[] = "new[]";
typedef struct block {
    char *start;
    size_t bytes;
    void *origin, *end; /* where malloc was called; where free was */
    int state;
    const char *giver; /* malloc or new[] */
} block;
static block *blocks; /* a hash table, by address; its size is a power of two */
static size_t size, used;
/* What was freed last stays the C library's for a while: strdup() and its kin, which are not ours,
 * might be given the same address, whose free() would look like a second one. Of large ones the
 * memory is given back at once, as by the C library, and who touches it ends. */
enum { KEPT = 1024, LARGEST_OPEN = 64 << 10, MOST_BYTES_KEPT = 1 << 30 };
static struct {
    char *start;
    size_t bytes;
} kept[KEPT]; /* a ring: the oldest is the first */
static size_t first_kept, count_kept, bytes_kept;
static char held; /* kernels may allocate, too */

typedef struct attributes { /* the beginning of cudaPointerAttributes, and room for the rest */
    int type;
    long rest[15];
} attributes;
__attribute__((weak)) int cudaPointerGetAttributes(attributes *a, const void *p);
__attribute__((weak)) int cudaGetLastError(void);

static void lock(void) {
    while (__atomic_test_and_set(&held, __ATOMIC_ACQUIRE))
        ;
}
static void unlock(void) { __atomic_clear(&held, __ATOMIC_RELEASE); }

/* Where in the student's file a call is, or "": its function may have gone on to free, and have no
 * frame. */
static void say_place(void *caller, char *place, size_t bytes) {
    *place = 0;
    if (lab_find_place && caller)
        lab_find_place(caller, place, bytes);
    if (strstr(place, "call.cu:"))
        *place = 0;
}

static void say_innermost(void *pc, char *place, size_t bytes) {
    *place = 0;
    if (lab_find_innermost_place && pc)
        lab_find_innermost_place(pc, place, bytes);
}

/* block: the one that it is about, or NULL. */
__attribute__((noreturn)) static void say(const char *place, const block *b, const char *sentence) {
    char origin[300] = "", end[300] = "";
    if (b)
        say_place(b->origin, origin, sizeof origin);
    if (b && b->state == FREED)
        say_place(b->end, end, sizeof end);
    const char *giver = b ? b->giver : "";
    const int array = strcmp(giver, NEW) == 0;
    fprintf(stderr, "cudacpu: %s%s%s%s%s%s%s%s%s\n", sentence, *place ? ", at " : "", place,
            *origin ? "; " : "", *origin ? giver : "", *origin ? " was called at " : "", origin,
            *origin && *end ? (array ? ", delete[] at " : ", free at ") : "", *origin ? end : "");
    _exit(1);
}
__attribute__((noreturn)) static void complain(void *caller, const block *b, const char *sentence) {
    char place[300];
    say_place(caller, place, sizeof place);
    say(place, b, sentence);
}

static block *find(const char *p) {
    for (size_t i = (size_t)p / 16 * 0x9E3779B97F4A7C15u; size; i++) {
        block *b = &blocks[i & (size - 1)];
        if (b->start == p || !b->start)
            return b;
    }
    return NULL;
}

static void grow(void) {
    block *old = blocks;
    const size_t count = size;
    size = size ? 2 * size : 1024;
    blocks = calloc(size, sizeof *blocks);
    if (!blocks)
        _exit(1);
    for (size_t i = 0; i < count; i++)
        if (old[i].start)
            *find(old[i].start) = old[i];
    free(old);
}

static void check(const block *b, void *caller) {
    size_t past = FENCE;
    while (past && (unsigned char)b->start[b->bytes + past - 1] == MARK)
        past--;
    if (!past)
        return;
    char sentence[200];
    snprintf(sentence, sizeof sentence,
             "heap overflow: host code wrote past the end of the %zu bytes that %s gave it",
             b->bytes, b->giver);
    complain(caller, b, sentence);
}

static void *add(char *p, size_t bytes, const char *giver, void *caller) {
    if (!p)
        return NULL;
    memset(p + bytes, MARK, FENCE);
    lock();
    if (2 * used >= size)
        grow();
    block *b = find(p);
    used += !b->start;
    *b = (block){p, bytes, caller, NULL, LIVE, giver};
    unlock();
    return p;
}

static void *allocate(size_t bytes, const char *giver, void *caller) {
    return bytes > SIZE_MAX - FENCE ? NULL : add(malloc(bytes + FENCE), bytes, giver, caller);
}

/* The block that a pointer leads into, or NULL. */
static const block *find_around(const char *p) {
    for (size_t i = 0; i < size; i++)
        if (blocks[i].state == LIVE && p > blocks[i].start && p < blocks[i].start + blocks[i].bytes)
            return &blocks[i];
    return NULL;
}

static int is_own(const char *p) {
    lock();
    const block *b = find(p);
    const int own = b && b->start && b->state == LIVE;
    unlock();
    return own;
}

/* Forgets a block that can be freed; one that is not ours is the C library's. */
static size_t take_out(char *p, void *caller) {
    attributes a = {0, {0}};
    if (cudaPointerGetAttributes && cudaPointerGetAttributes(&a, p) == 0 && a.type != 0)
        complain(caller, NULL,
                 a.type == 2 ? "wrong free: memory of cudaMalloc was given to free, and "
                               "belongs to cudaFree"
                 : is_own(p) ? "wrong free: memory that is still registered was given to free: "
                               "cudaHostUnregister comes before"
                             : "wrong free: memory of cudaMallocHost was given to free, "
                               "and belongs to cudaFreeHost");
    if (is_callers(p))
        complain(caller, NULL, "wrong free: a matrix of the caller's was given to free");
    lock();
    block *b = find(p);
    const int state = b && b->start ? b->state : 0;
    const size_t bytes = state ? b->bytes : 0;
    if (state == LIVE)
        check(b, caller);
    if (state == LIVE)
        b->end = caller;
    if (state)
        b->state = FREED;
    unlock();
    if (state == FREED)
        complain(caller, b, "double free: memory was given to free that was freed before");
    const block *around = state ? NULL : find_around(p);
    if (around)
        complain(caller, around, "wrong free: free was given a pointer into the middle of memory");
    return bytes;
}

void check_heap(void) {
    for (size_t i = 0; i < size; i++)
        if (blocks[i].start && blocks[i].state == LIVE)
            check(&blocks[i], NULL);
}

/* Of a copy by CUDA. Only what is kept is surely nobody else's yet. */
void lab_told_host_memory(const void *pointer, const char *function, void *caller) {
    const char *p = (const char *)pointer;
    char sentence[200];
    const block *b = NULL;
    lock();
    for (size_t i = 0; i < size && !b; i++)
        if (blocks[i].state == FREED && blocks[i].bytes <= MOST_BYTES_KEPT &&
            p >= blocks[i].start && p < blocks[i].start + blocks[i].bytes)
            b = &blocks[i];
    unlock();
    if (!b)
        return;
    snprintf(sentence, sizeof sentence, "%s was given memory of %zu bytes that was freed before",
             function, b->bytes);
    complain((char *)caller - 1, b, sentence);
}

/* In the call itself: what follows it may be of the next line. */
#define CALLER ((char *)__builtin_return_address(0) - 1)
void *lab_malloc(size_t bytes) { return allocate(bytes, MALLOC, CALLER); }
void *lab_calloc(size_t count, size_t each) {
    size_t bytes;
    if (__builtin_mul_overflow(count, each, &bytes))
        return NULL;
    void *p = allocate(bytes, MALLOC, CALLER);
    return p ? memset(p, 0, bytes) : NULL;
}
/* The whole pages of a large block: nobody's, or the C library's again. */
static void close_pages(char *start, size_t bytes, int closes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *begin = start + (-(size_t)start & (page - 1)), *end = start + bytes;
    end -= (size_t)end & (page - 1);
    if (bytes <= LARGEST_OPEN)
        return;
    if (closes)
        madvise(begin, (size_t)(end - begin), MADV_DONTNEED);
    mprotect(begin, (size_t)(end - begin), closes ? PROT_NONE : PROT_READ | PROT_WRITE);
}
static void give_back_oldest(void) {
    char *p = kept[first_kept].start;
    close_pages(p, kept[first_kept].bytes, 0);
    bytes_kept -= kept[first_kept].bytes;
    first_kept = (first_kept + 1) % KEPT;
    count_kept--;
    find(p)->state = 0;
    free(p);
}
unsigned long bytes_kept_of_freed(void) { return bytes_kept; }
static void give_back(void *p, size_t bytes) {
    lock();
    if (bytes > MOST_BYTES_KEPT || !bytes) {
        block *b = find(p);
        if (b && b->start) /* its address may be the C library's next */
            b->state = 0;
        unlock();
        free(p);
        return;
    }
    while (count_kept == KEPT || bytes_kept + bytes > MOST_BYTES_KEPT)
        give_back_oldest();
    const size_t at = (first_kept + count_kept++) % KEPT;
    kept[at].start = p, kept[at].bytes = bytes;
    bytes_kept += bytes;
    close_pages(p, bytes, 1);
    unlock();
}
static struct sigaction of_cudacpu;
static void *counter_of(const ucontext_t *context) {
#if defined(__x86_64__)
    return (void *)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (void *)context->uc_mcontext.pc;
#else
    (void)context;
    return NULL;
#endif
}
static void on_fault(int number, siginfo_t *info, void *context) {
    const char *at = (const char *)info->si_addr;
    char sentence[200], place[4200];
    if (info->si_code > 0 && is_in_gap(at)) {
        say_innermost(counter_of((const ucontext_t *)context), place, sizeof place);
        say(place, NULL,
            "wrote into a gap between the rows of C, which belongs to its owner: copy the columns "
            "of C alone");
    }
    for (size_t i = 0; i < count_kept; i++) {
        const char *start = kept[(first_kept + i) % KEPT].start;
        const size_t bytes = kept[(first_kept + i) % KEPT].bytes;
        if (info->si_code <= 0 || at < start || at >= start + bytes)
            continue;
        snprintf(sentence, sizeof sentence, "memory of %zu bytes was used after it was freed",
                 bytes);
        say_innermost(counter_of((const ucontext_t *)context), place, sizeof place);
        say(place, find(start), sentence);
    }
    of_cudacpu.sa_sigaction(number, info, context);
}
void watch_freed(void) {
    if (sigaction(SIGSEGV, NULL, &of_cudacpu) != 0 || !(of_cudacpu.sa_flags & SA_SIGINFO))
        return;
    struct sigaction ours = of_cudacpu;
    ours.sa_sigaction = on_fault;
    sigaction(SIGSEGV, &ours, NULL);
}
void lab_free(void *p) {
    if (p)
        give_back(p, take_out(p, CALLER));
}
void *lab_aligned_alloc(size_t alignment, size_t bytes) {
    const size_t whole = (bytes + FENCE + alignment - 1) / alignment * alignment;
    return whole < bytes ? NULL : add(aligned_alloc(alignment, whole), bytes, MALLOC, CALLER);
}
int lab_posix_memalign(void **p, size_t alignment, size_t bytes) {
    const int error = bytes > SIZE_MAX - FENCE ? 12 : posix_memalign(p, alignment, bytes + FENCE);
    if (!error)
        add(*p, bytes, MALLOC, CALLER);
    return error;
}
void *lab_realloc(void *p, size_t bytes) {
    lock();
    const block *b = p ? find(p) : NULL;
    const int is_ours = !p || (b && b->start);
    unlock();
    if (!is_ours) /* the C library's, of strdup for example */
        return realloc(p, bytes);
    const size_t before = p ? take_out(p, CALLER) : 0;
    char *q = allocate(bytes, MALLOC, CALLER);
    if (p && q)
        memcpy(q, p, before < bytes ? before : bytes);
    if (p)
        give_back(p, before);
    return q;
}

/* What fails is the C++ library's, which says so. */
__attribute__((weak)) void *of_library(size_t bytes) __asm__("_Znam");
void *lab_new_array(size_t bytes) {
    void *p = allocate(bytes, NEW, CALLER);
    return p || !of_library ? p : of_library(bytes);
}
void *lab_new_array_or_null(size_t bytes, const void *nothrow) {
    (void)nothrow;
    return allocate(bytes, NEW, CALLER);
}

/* What new gave is the C++ library's. delete in the place of delete[] does what it should. */
static void take_from_delete(char *p, void *caller) {
    lock();
    const block *b = p ? find(p) : NULL;
    const int is_ours = b && b->start && b->state;
    const int is_arrays = is_ours && strcmp(b->giver, NEW) == 0;
    unlock();
    if (is_ours && !is_arrays && b->state == LIVE)
        complain(caller, b,
                 "wrong free: memory of malloc was given to delete, and belongs to free");
    if (is_ours && b->state == FREED)
        complain(caller, b, "double free: memory was given to delete that was freed before");
    if (is_arrays)
        give_back(p, take_out(p, caller));
    else
        free(p);
}
void lab_delete(void *p) { take_from_delete(p, CALLER); }
void lab_delete_sized(void *p) { take_from_delete(p, CALLER); }
void lab_delete_array(void *p) { take_from_delete(p, CALLER); }
void lab_delete_array_sized(void *p) { take_from_delete(p, CALLER); }
