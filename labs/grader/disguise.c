/* disguise.c - in the student's process: gives the device the values of the tokens that host code
 * has, and host code tokens of what it fetches, by the hooks of cudacpu's runtime; and counts what
 * else is brought to the device.
 *
 * Values and key are closed to the process but for the moment in which a copy needs them. */
#define _GNU_SOURCE
#include "disguise.h"
#include "lab.h"
#include "runner.h"
#include <string.h>
#include <sys/mman.h>

static int active; /* 0: nothing is disguised */
static size_t file_bytes;
static disguise_header *header; /* the mapped file: closed, but where it is opened */
static char *values;            /* in it */
static uint64_t carried; /* words that were neither tokens nor a constant, brought by host code */
static uint64_t spilled; /* bytes between the rows of what was fetched that a kernel has written */
static uint64_t peeked;  /* words that were fetched in pieces, and are no tokens */
static int failing;      /* launches fail */
static const char *result;
static size_t result_bytes;

void open_disguise(int descriptor, const void *c, size_t c_bytes) {
    disguise_header first;
    active = 0;
    carried = spilled = peeked = 0;
    result = (const char *)c, result_bytes = c_bytes;
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

/* One row's tokens become their values; the number of words that were neither. */
static uint64_t reveal(char *row, size_t width) {
    const size_t element = header->element;
    uint64_t others = 0, last = 0;
    for (char *p = row; p + element <= row + width; p += element) {
        const uint64_t word = word_at(p), number = read_token(word, header->key, header->element);
        if (number < header->used)
            memcpy(p, values + number * element, element);
        else if (word != 0 && word != last && !is_poison(word))
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

void cudacpu_hook_uploaded(void *data, size_t pitch, size_t width, size_t rows) {
    if (!active)
        return;
    open_values();
    for (size_t row = 0; row < rows; row++)
        carried += reveal((char *)data + row * pitch, width);
    close_values();
}

/* A few words by themselves are a program's own: a flag, a count. */
void cudacpu_hook_downloaded(void *data, size_t pitch, size_t width, size_t rows) {
    enum { FEW = 4 };
    if (!active)
        return;
    open_values();
    const size_t element = header->element, words = width / element;
    if (words * rows > FEW || (words && (size_t)((char *)data - result) < result_bytes))
        for (size_t row = 0; row < rows; row++)
            for (size_t i = 0; i < words; i++)
                conceal((char *)data + row * pitch + i * element);
    else
        peeked += (width * rows + element - 1) / element;
    peeked += width % element ? rows : 0;
    close_values();
}

void cudacpu_hook_downloads(const void *data, size_t pitch, size_t width, size_t rows) {
    enum { NEVER_WRITTEN = 0xFF }; /* so cudacpu fills device memory */
    for (size_t row = 0; row + 1 < rows; row++)
        for (size_t at = width; at < pitch; at++)
            spilled += ((const unsigned char *)data)[row * pitch + at] != NEVER_WRITTEN;
}

/* Memory that host code and kernels share has values during a launch. After it all are tokens: what
 * the kernel has not changed, those that they were. */
enum { MOST_SHARED = 64 };
static struct shared {
    char *data, *tokens, *revealed;
    size_t bytes;
} shared[MOST_SHARED];
static int shared_count;

void cudacpu_hook_host_memory(void *data, size_t bytes, int launch_ended) {
    if (!active)
        return;
    if (!launch_ended && shared_count < MOST_SHARED) {
        struct shared s = {data, malloc(bytes), malloc(bytes), bytes};
        if (!s.tokens || !s.revealed)
            _exit(3);
        memcpy(s.tokens, data, bytes);
        const uint64_t before = carried;
        cudacpu_hook_uploaded(data, bytes, bytes, 1);
        carried = before; /* results of the launch before lie there, too */
        memcpy(s.revealed, data, bytes);
        shared[shared_count++] = s;
    }
    for (int i = 0; launch_ended && i < shared_count; i++)
        if (shared[i].data == data) {
            const struct shared s = shared[i];
            open_values();
            const size_t element = header->element;
            for (size_t at = 0; at + element <= s.bytes; at += element)
                if (memcmp(s.data + at, s.revealed + at, element) == 0)
                    memcpy(s.data + at, s.tokens + at, element);
                else
                    conceal(s.data + at);
            close_values();
            free(s.tokens);
            free(s.revealed);
            shared[i] = shared[--shared_count];
            break;
        }
}

int cudacpu_hook_launch(const char *kernel, size_t argument_bytes) {
    enum { LAUNCH_FAILED_BY_RESOURCES = 701, USUAL_ARGUMENTS = 256 };
    (void)kernel;
    if (argument_bytes > USUAL_ARGUMENTS && active)
        carried += argument_bytes / sizeof(double);
    return failing ? LAUNCH_FAILED_BY_RESOURCES : 0;
}
