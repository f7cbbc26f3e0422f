/* runner.c - main() of the student's process. It gets a socket's number, and through the socket one
 * case file after the other, with the values of its tokens where it has some; for each it calls
 * lab_call() and answers 'd' (done) or 'e' (lab_call said why on stderr), the request's number, and
 * how many words host code brought to the device. It knows no answers.
 */
#define _GNU_SOURCE
#include "runner.h"
#include "casefile.h"
#include "gap.h"
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct request {
    uint64_t number;
    char what; /* 'g': a case; 'f': a case whose launches fail */
} __attribute__((packed)) request;
typedef struct answer {
    char how;
    uint64_t number, carried, spilled, peeked, put_back, handles;
    char handle[128]; /* the last of them */
} __attribute__((packed)) answer;

/* The descriptors of the next case and of its values (-1: none); 0 when there is no case. */
static int receive(int from, request *asked, int descriptors[2]) {
    struct iovec data = {asked, sizeof *asked};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    const struct cmsghdr *sent;
    if (recvmsg(from, &message, MSG_CMSG_CLOEXEC) != sizeof *asked ||
        !(sent = CMSG_FIRSTHDR(&message)))
        return 0;
    descriptors[1] = -1;
    memcpy(descriptors, CMSG_DATA(sent), sent->cmsg_len - CMSG_LEN(0));
    return 1;
}

static const char *given; /* the case */
static size_t given_bytes;
int is_callers(const void *p) { return given && (size_t)((const char *)p - given) < given_bytes; }

/* cudacpu's, which names the place of a fault; a program for a GPU has none. */
__attribute__((weak)) void
install_fault_handler(void) __asm__("_ZN7cudacpu21install_fault_handlerEv");

static lab_matrix matrix(char *file, const case_header *h, const case_matrix *m) {
    return (lab_matrix){m->rows, m->columns, m->stride, (lab_type)h->type, file + m->offset};
}

int main(int count, char **arguments) {
    int connection = count == 2 ? atoi(arguments[1]) : -1, descriptors[2] = {-1, -1};
    request asked = {0, 0};
    if (install_fault_handler)
        install_fault_handler();
    watch_freed();
    while (receive(connection, &asked, descriptors)) {
        case_header h;
        if (pread(descriptors[0], &h, sizeof h, 0) != sizeof h)
            return 3;
        /* All pages at once: a fault for each would be timed, too, and is noise. */
        char *file = mmap(NULL, h.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                          descriptors[0], 0);
        if (file == MAP_FAILED)
            return 3;
        close(descriptors[0]);
        given = file, given_bytes = h.bytes;
        open_disguise(descriptors[1], file + h.c.offset, h.bytes - h.c.offset);
        if (descriptors[1] >= 0)
            close(descriptors[1]);
        let_launches_fail(asked.what == 'f');
        lab_case c = {matrix(file, &h, &h.a), matrix(file, &h, &h.b), matrix(file, &h, &h.c),
                      h.variant, h.parameter};
        watch_gap(&c.c);
        answer a = {.how = lab_call(&c) == 0 ? 'd' : 'e', .number = asked.number};
        check_heap();
        fflush(stdout); /* who asks for a launch's error may say so there */
        a.carried = words_carried();
        a.spilled = bytes_spilled();
        a.peeked = words_peeked();
        a.put_back = words_put_back();
        a.handles = handles_alive(a.handle, sizeof a.handle);
        if (write(connection, &a, sizeof a) != sizeof a)
            return 3;
        close_disguise();
        given = NULL;
        munmap(file, h.bytes);
    }
    return 0;
}
