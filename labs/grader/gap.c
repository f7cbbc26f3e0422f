/* gap.c - in the student's process: does anybody write into the gaps between C's rows what was
 * there before? Their words change a little at each launch and before each copy to the host, so
 * that what was read before is old then. After the last of these nothing changes: whole pages of a
 * gap are closed to writes, and who writes there ends. */
#include "gap.h"
#include "runner.h"
#include <sys/mman.h>

static unsigned char *first; /* of C's first gap; NULL: there is none */
static size_t element, stride, words, rows;
static unsigned char *before; /* the first byte of each of its words */
static unsigned char change;  /* how that byte differs now */
static uint64_t put_back;

/* cudacpu's. A GPU's driver may have to write there: it pins pages. */
__attribute__((weak)) void
install_fault_handler(void) __asm__("_ZN7cudacpu21install_fault_handlerEv");

static void protect(int protection) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t row = 0; first && install_fault_handler && row < rows; row++) {
        unsigned char *begin = first + row * stride * element, *end = begin + words * element;
        begin += -(size_t)begin & (page - 1);
        end -= (size_t)end & (page - 1);
        if (begin < end && mprotect(begin, (size_t)(end - begin), protection) != 0)
            _exit(3);
    }
}
void open_gap(void) { protect(PROT_READ | PROT_WRITE); }
void close_gap(void) { protect(PROT_READ); }

int is_in_gap(const void *p) {
    const size_t at = (size_t)((const unsigned char *)p - first) / element;
    return first && at / stride < rows && at % stride < words;
}

static void change_words(unsigned char next) {
    open_gap();
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < words; i++) {
            unsigned char *byte = first + (row * stride + i) * element,
                          was = before[row * words + i];
            if (*byte == (was ^ change))
                *byte = was ^ next;
            else
                put_back += *byte == was; /* anything else the judge sees */
        }
    change = next;
}

void watch_gap(const lab_matrix *c) {
    first = NULL;
    put_back = change = 0;
    element = c->type == LAB_DOUBLE ? 8 : 4;
    rows = (size_t)c->rows, stride = (size_t)c->stride, words = (size_t)(c->stride - c->columns);
    if (!words)
        return;
    before = malloc(rows * words);
    if (!before)
        _exit(3);
    first = (unsigned char *)c->elements + (size_t)c->columns * element;
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < words; i++)
            before[row * words + i] = first[(row * stride + i) * element];
    close_gap();
}

void change_gap(void) {
    if (first) {
        change_words((unsigned char)(change % 255 + 1));
        close_gap();
    }
}

uint64_t words_put_back(void) {
    if (first) {
        change_words(0);
        free(before);
    }
    first = NULL;
    return put_back;
}
