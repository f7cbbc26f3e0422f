/* source_place.cpp - asks addr2line (binutils) for places in the source. */
#include "source_place.h"
#include "program.h"
#include <cstdio>
#include <cstring>
#include <execinfo.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cudacpu {

/* A pipe of both directions. No fork: that would
 * copy the mappings of all CUDA threads' stacks. */
int start_addr2line(pid_t *child) {
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    const char *words[] = {"addr2line", "-a", "-i", "-e", program, nullptr};
    if (posix_spawnp(child, words[0], &actions, nullptr, const_cast<char **>(words), environ) != 0)
        *child = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    return ends[0];
}

void ask_addr2line(int connection, void *pc, bool is_return_address, char *out, size_t size) {
    out[0] = 0;
    if (!in_program(pc, 1))
        return;
    char text[4096];
    /* Each answer begins with its address; the line after the second, of address 0, is the last. */
    int asked = snprintf(text, sizeof text, "0x%zx\n0\n",
                         (size_t)((uintptr_t)pc - program_base() - (is_return_address ? 1 : 0)));
    send(connection, text, (size_t)asked, MSG_NOSIGNAL);
    size_t have = 0;
    const char *last = nullptr;
    for (ssize_t n; have < sizeof text - 1 &&
                    (n = read(connection, text + have, sizeof text - 1 - have)) > 0;) {
        text[have += (size_t)n] = 0;
        last = strstr(text, "\n0x");
        if (last && (last = strchr(last + 1, '\n')) && strchr(last + 1, '\n'))
            break;
    }
    text[have] = 0;
    char here[4096];
    size_t prefix = getcwd(here, sizeof here) ? strlen(here) : 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(nullptr, "\n")) {
        if (!strchr(line, ':') || line[0] == '?' || strstr(line, "/cudacpu/") ||
            strstr(line, "/include/c++/") || strstr(line, ":?"))
            continue;
        if (char *more = strstr(line, " (discriminator"))
            *more = 0;
        if (prefix && strncmp(line, here, prefix) == 0 && line[prefix] == '/')
            line += prefix + 1;
        snprintf(out, size, "%s", line);
        return;
    }
}

namespace {

void ask_once(void *pc, bool is_return_address, char *out, size_t size) {
    pid_t child = -1;
    int addr2line = start_addr2line(&child);
    ask_addr2line(addr2line, pc, is_return_address, out, size);
    close(addr2line);
    if (child > 0)
        waitpid(child, nullptr, 0);
}

} // namespace

void find_place(void *pc, char *out, size_t size) { ask_once(pc, false, out, size); }

void find_innermost_place(void *pc, char *out, size_t size) {
    find_place(pc, out, size);
    if (out[0])
        return;
    void *frames[64];
    int count = backtrace(frames, 64), i = 0;
    while (i < count && frames[i] != pc)
        i++;
    for (i = i < count ? i + 1 : 0; i < count && !out[0]; i++)
        ask_once(frames[i], true, out, size);
}

} // namespace cudacpu
