/* disguise.c - in the student's process: gives the device the values of the tokens that host code
 * has, and host code tokens of what it fetches, as observer.cpp is told by cudacpu's runtime; and
 * counts what else is brought to the device.
 *
 * Values and key are closed to the process but for the moment in which a copy needs them. */
#define _GNU_SOURCE
#include "disguise.h"
#include "gap.h"
#include "lab.h"
#include "runner.h"
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static void keep_variables(void);
static int active; /* 0: nothing is disguised */
static size_t file_bytes;
static disguise_header *header; /* the mapped file: closed, but where it is opened */
static char *values;            /* in it */
static uint64_t carried; /* words that were neither tokens nor a constant, brought by host code */
static uint64_t spilled; /* bytes between the rows of what was fetched that a kernel has written */
static uint64_t peeked;  /* words that were fetched in pieces, and are no tokens */
static int failing;      /* launches fail */
static unsigned delayed; /* kinds of calls, and how long */
static struct timespec delay;
static float stretched = 1; /* what is between two events */
enum { FEW = 4 };           /* words by themselves are a program's own: a flag, a count */
static const char *result;
static size_t result_bytes;

void open_disguise(int descriptor, const void *c, size_t c_bytes) {
    disguise_header first;
    active = 0;
    carried = spilled = peeked = 0;
    result = (const char *)c, result_bytes = c_bytes;
    keep_variables();
    if (descriptor < 0 || pread(descriptor, &first, sizeof first, 0) != sizeof first)
        return;
    file_bytes = sizeof first + first.capacity * first.element;
    header = mmap(NULL, file_bytes, PROT_NONE, MAP_SHARED, descriptor, 0);
    if (header == MAP_FAILED)
        _exit(3);
    values = (char *)(header + 1);
    active = 1;
}

void close_disguise(void) {
    if (active)
        munmap(header, file_bytes);
    active = 0;
}

static void open_values(void) { mprotect(header, file_bytes, PROT_READ | PROT_WRITE); }
static void close_values(void) { mprotect(header, file_bytes, PROT_NONE); }

uint64_t words_carried(void) { return carried; }
uint64_t bytes_spilled(void) { return spilled; }
uint64_t words_peeked(void) { return peeked; }
void let_launches_fail(int fail) { failing = fail; }
void delay_calls(unsigned kinds, unsigned milliseconds) {
    delayed = kinds;
    delay = (struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000L};
}
static void take_longer(unsigned kind) {
    if (delayed & kind)
        nanosleep(&delay, NULL);
}
void stretch_events(float times) { stretched = times; }
/* programs.py renames the student's calls of these functions to those below. They end in a jump:
 * cudacpu finds who has called. */
int cudaMalloc(void **pointer, size_t bytes);
int cudaFree(void *pointer);
int cudaEventElapsedTime(float *milliseconds, void *start, void *stop);
int lab_cuda_malloc(void **pointer, size_t bytes) {
    take_longer(LAB_ALLOCATIONS);
    return cudaMalloc(pointer, bytes);
}
int lab_cuda_free(void *pointer) {
    take_longer(LAB_ALLOCATIONS);
    return cudaFree(pointer);
}
int lab_cuda_event_elapsed_time(float *milliseconds, void *start, void *stop) {
    if (stretched == 1)
        return cudaEventElapsedTime(milliseconds, start, stop);
    const int error = cudaEventElapsedTime(milliseconds, start, stop);
    if (error == 0)
        *milliseconds *= stretched;
    return error;
}

static uint64_t word_at(const char *p) {
    uint64_t word = 0;
    memcpy(&word, p, header->element);
    return word;
}

/* What the judge fills memory with that has no value (judge.c, poison). */
static int is_poison(uint64_t word) {
    return header->type == LAB_INT     ? word >= 2000000000u && word < 2100000000u
           : header->type == LAB_FLOAT ? word >> 22 == 0x7FC00000u >> 22
                                       : word >> 51 == 0x7FF8000000000000u >> 51;
}

/* What cudacpu fills new memory with. */
static int is_blank(uint64_t word) { return word == UINT64_MAX >> (64 - 8 * header->element); }

/* One row's tokens become their values; the number of words that were neither. */
static uint64_t reveal(char *row, size_t width) {
    const size_t element = header->element;
    uint64_t others = 0, last = 0;
    for (char *p = row; p + element <= row + width; p += element) {
        const uint64_t word = word_at(p), number = read_token(word, header->key, header->element);
        if (number < header->used)
            memcpy(p, values + number * element, element);
        else if (word != 0 && word != last && !is_poison(word) && !is_blank(word))
            others++;
        last = word;
    }
    return others;
}

/* A word from the device becomes a token of its own. Where there is no room, one of nothing. */
static void conceal(char *p) {
    const size_t element = header->element;
    const uint64_t number = header->used < header->capacity ? header->used++ : header->capacity;
    if (number < header->capacity)
        memcpy(values + number * element, p, element);
    const uint64_t token = make_token(number, header->key, header->element);
    memcpy(p, &token, element);
}

void lab_told_uploaded(void *data, size_t pitch, size_t width, size_t rows) {
    take_longer(LAB_COPIES);
    if (!active)
        return;
    open_values();
    for (size_t row = 0; row < rows; row++)
        carried += reveal((char *)data + row * pitch, width);
    close_values();
}

/* Whether host code may see these words: few, and not where the result belongs. */
static int are_few(const void *data, size_t width, size_t rows) {
    const size_t words = width / header->element * rows;
    return words <= FEW && !(words && (size_t)((const char *)data - result) < result_bytes);
}

void lab_told_downloaded(void *data, size_t pitch, size_t width, size_t rows) {
    take_longer(LAB_COPIES);
    if (!active)
        return;
    open_values();
    const size_t element = header->element, words = width / element;
    if (are_few(data, width, rows))
        peeked += (width * rows + element - 1) / element;
    else
        for (size_t row = 0; row < rows; row++)
            for (size_t i = 0; i < words; i++)
                conceal((char *)data + row * pitch + i * element);
    peeked += width % element ? rows : 0;
    close_values();
}

/* From memory that is shared come tokens. */
void lab_told_fetched(void *data, size_t pitch, size_t width, size_t rows) {
    if (!active)
        return;
    open_values();
    if (are_few(data, width, rows)) {
        for (size_t row = 0; row < rows; row++)
            reveal((char *)data + row * pitch, width);
        peeked += width / header->element * rows;
    }
    close_values();
}

void lab_told_downloads(const void *data, size_t pitch, size_t width, size_t rows) {
    enum { NEVER_WRITTEN = 0xFF }; /* so cudacpu fills device memory */
    change_gap();
    for (size_t row = 0; row + 1 < rows; row++)
        for (size_t at = width; at < pitch; at++)
            spilled += ((const unsigned char *)data)[row * pitch + at] != NEVER_WRITTEN;
}

void lab_told_filled(void) {
    take_longer(LAB_FILLINGS);
    carried++;
}

/* Memory that host code and kernels share has values during a launch, and tokens before and after:
 * what the kernel has not changed, those that were there. A variable of the device is such memory.
 */
static struct shared {
    char *data, *tokens, *revealed;
    size_t bytes;
    int running; /* a launch */
} * shared;
static size_t shared_count;

/* That of this memory; of new memory one that holds what host code sees now. */
static struct shared *shared_at(char *data, size_t bytes) {
    for (size_t i = 0; i < shared_count; i++)
        if (shared[i].data == data && shared[i].bytes == bytes)
            return &shared[i];
    struct shared s = {data, malloc(bytes), malloc(bytes), bytes, 0};
    struct shared *more = realloc(shared, (shared_count + 1) * sizeof *shared);
    if (!more || !s.tokens || !s.revealed)
        _exit(3);
    shared = more;
    memset(s.tokens, 0, bytes); /* whatever is there has been brought */
    shared[shared_count] = s;
    return &shared[shared_count++];
}

/* What the program's variables hold before the first call has not been brought by it. */
extern char __start_cudacpu_variables[] __attribute__((weak)),
    __stop_cudacpu_variables[] __attribute__((weak)),
    __start_cudacpu_managed[] __attribute__((weak)), __stop_cudacpu_managed[] __attribute__((weak));
static void keep(char *begin, const char *end) {
    if (begin != end)
        memcpy(shared_at(begin, (size_t)(end - begin))->tokens, begin, (size_t)(end - begin));
}
static void keep_variables(void) {
    keep(__start_cudacpu_variables, __stop_cudacpu_variables);
    keep(__start_cudacpu_managed, __stop_cudacpu_managed);
}

enum { PAGE = 4096 }; /* most of a large array stays as it is */

static void reveal_page(char *data, const char *before, size_t bytes) {
    const size_t element = header->element;
    char last[sizeof(double)] = {0};
    for (size_t at = 0; at + element <= bytes; at += element) {
        const int is_new =
            memcmp(data + at, before + at, element) != 0 && memcmp(data + at, last, element) != 0;
        memcpy(last, data + at, element);
        const uint64_t others = reveal(data + at, element);
        carried += is_new ? others : 0;
    }
}

static void launch_begins(struct shared *s) {
    static const char zeros[PAGE];
    memcpy(s->revealed, s->tokens, s->bytes); /* as the launch before has left it */
    memcpy(s->tokens, s->data, s->bytes);
    for (size_t at = 0; at < s->bytes; at += PAGE) {
        const size_t bytes = s->bytes - at < PAGE ? s->bytes - at : PAGE;
        if (memcmp(s->data + at, zeros, bytes) != 0)
            reveal_page(s->data + at, s->revealed + at, bytes);
    }
    memcpy(s->revealed, s->data, s->bytes);
    s->running = 1;
}

/* Words that the launch has changed become tokens, or stay where host code may see them. */
static void conceal_changes(struct shared *s, int seen) {
    const size_t element = header->element;
    for (size_t page = 0; page < s->bytes; page += PAGE) {
        const size_t end = s->bytes - page < PAGE ? s->bytes : page + PAGE;
        if (memcmp(s->data + page, s->revealed + page, end - page) == 0)
            continue;
        for (size_t at = page; at + element <= end; at += element)
            if (memcmp(s->data + at, s->revealed + at, element) != 0) {
                if (!seen)
                    conceal(s->data + at);
                memcpy(s->tokens + at, s->data + at, element);
            }
    }
}

static void launch_ends(struct shared *s) {
    const size_t element = header->element;
    size_t changed = 0;
    for (size_t at = 0; at + element <= s->bytes && changed <= FEW; at += element)
        changed += memcmp(s->data + at, s->revealed + at, element) != 0;
    conceal_changes(s, changed <= FEW);
    peeked += changed <= FEW ? changed : 0;
    memcpy(s->data, s->tokens, s->bytes / element * element); /* what is left has no word */
    s->running = 0;
}

void lab_told_shared_memory(void *data, size_t bytes, int launch_ended) {
    if (!active)
        return;
    struct shared *s = shared_at(data, bytes);
    if (s->running != launch_ended)
        return; /* a launch inside of another one */
    open_values();
    open_gap();
    (launch_ended ? launch_ends : launch_begins)(s);
    close_gap();
    close_values();
}

int lab_told_launch(size_t argument_bytes) {
    enum { LAUNCH_FAILED_BY_RESOURCES = 701, USUAL_ARGUMENTS = 64 };
    take_longer(LAB_LAUNCHES);
    change_gap();
    if (argument_bytes > USUAL_ARGUMENTS)
        carried += (argument_bytes - USUAL_ARGUMENTS) / sizeof(float);
    return failing ? LAUNCH_FAILED_BY_RESOURCES : 0;
}
