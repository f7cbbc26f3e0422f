/* runner.c - main() of the student's process. It gets a socket's number, and through the socket one
 * case file after the other; for each it calls lab_call() and answers 'd' (done) or 'e' (lab_call
 * said why on stderr). It knows no answers.
 */
#define _GNU_SOURCE
#include "casefile.h"
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* The descriptor of the next case, or -1 when there is none. */
static int receive(int from) {
    char byte;
    struct iovec data = {&byte, 1};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    if (recvmsg(from, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message))
        return -1;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
}

static lab_matrix matrix(char *file, const case_header *h, const case_matrix *m) {
    return (lab_matrix){m->rows, m->columns, m->stride, (lab_type)h->type, file + m->offset};
}

int main(int count, char **arguments) {
    int connection = count == 2 ? atoi(arguments[1]) : -1, descriptor;
    while ((descriptor = receive(connection)) >= 0) {
        case_header h;
        if (pread(descriptor, &h, sizeof h, 0) != sizeof h)
            return 3;
        /* All pages at once: a fault for each would be timed, too, and is noise. */
        char *file =
            mmap(NULL, h.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
        if (file == MAP_FAILED)
            return 3;
        close(descriptor);
        lab_case c = {matrix(file, &h, &h.a), matrix(file, &h, &h.b), matrix(file, &h, &h.c),
                      h.variant, h.parameter};
        char answer = lab_call(&c) == 0 ? 'd' : 'e';
        if (write(connection, &answer, 1) != 1)
            return 3;
        munmap(file, h.bytes);
    }
    return 0;
}
