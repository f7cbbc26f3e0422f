/* symbolizer.cpp - asks addr2line (binutils) for places in the source. */
#include "symbolizer.h"
#include "process.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execinfo.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace cudacpu {

/* This file's folder is one of cudacpu's; those of a cudacpu that was moved have cpucc beside them.
 * Where the program runs there may be none of them, as in a sandbox. */
bool is_own_source(const char *path) {
    if (strstr(path, "/cudacpu/include/cudacpu/") || strstr(path, "/cudacpu/more/include/cudacpu/"))
        return true;
    static const std::string here(__FILE__,
                                  strrchr(__FILE__, '/') - __FILE__ - strlen("runtime/host"));
    for (const char *folder : {"/include/", "/runtime/", "/inspect/", "/more/"})
        for (const char *at = path; (at = strstr(at, folder)) && !strstr(at, "/tests/"); at++) {
            const std::string beside(path, (size_t)(at + 1 - path));
            if (beside == here || access((beside + "cpucc").c_str(), F_OK) == 0)
                return true;
        }
    return false;
}

/* Through a pipe of both directions. No fork: that would copy the mappings of all CUDA threads'
 * stacks. */
addr2line::addr2line() {
    int ends[2];
    connection = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    const char *words[] = {"addr2line", "-a", "-i", "-e", program_file(), nullptr};
    if (posix_spawnp(&child, words[0], &actions, nullptr, const_cast<char **>(words), environ) != 0)
        child = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    connection = ends[0];
}
addr2line::~addr2line() {
    close(connection);
    if (child > 0)
        waitpid(child, nullptr, 0);
}

std::vector<std::string> addr2line::ask_all(void *pc, bool is_return_address) const {
    std::vector<std::string> places;
    if (!in_program(pc, 1))
        return places;
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
    char *rest;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(nullptr, "\n", &rest)) {
        if (!strchr(line, ':') || line[0] == '?' || is_own_source(line) ||
            strstr(line, "/include/c++/") || strstr(line, ":?"))
            continue;
        if (char *more = strstr(line, " (discriminator"))
            *more = 0;
        if (prefix && strncmp(line, here, prefix) == 0 && line[prefix] == '/')
            line += prefix + 1;
        places.push_back(line);
    }
    return places;
}

std::string addr2line::ask(void *pc, bool is_return_address) const {
    const std::vector<std::string> places = ask_all(pc, is_return_address);
    return places.empty() ? "" : places[0];
}

std::string find_place(void *pc) { return addr2line().ask(pc, false); }

std::string find_innermost_place(void *pc) {
    std::string place = find_place(pc);
    if (!place.empty())
        return place;
    void *frames[64];
    int count = backtrace(frames, 64), i = 0;
    while (i < count && frames[i] != pc)
        i++;
    return i < count ? place_of(frames + i + 1, count - i - 1) : place_of(frames, count);
}

/* "a/b.cu:7" for the site {"b.cu", 5} and 2 lines more. */
static bool is_at(const std::string &place, const char *file, int line, int more) {
    const size_t colon = place.rfind(':');
    const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    const size_t length = strlen(name);
    const int given = atoi(place.c_str() + colon + 1);
    return given >= line && given <= line + more && colon >= length &&
           place.compare(colon - length, length, name) == 0;
}

std::string find_call(void *const *frames, int count, const site &where, const site &launch) {
    enum { LAUNCH_LINES = 8 };
    const addr2line asked;
    bool inside = false;
    for (int i = 0; i < count; i++)
        for (const std::string &place : asked.ask_all(frames[i], true))
            if (is_at(place, where.file, where.line, 0))
                inside = true;
            else if (is_at(place, launch.file, launch.line, LAUNCH_LINES))
                return "";
            else if (inside)
                return place;
    return "";
}

call_path find_call_path() {
    call_path calls;
    calls.count = backtrace(calls.frames, call_path::MOST);
    return calls;
}

std::string place_of(void *const *frames, int count) {
    std::string place;
    for (int i = 0; i < count && place.empty(); i++)
        place = addr2line().ask(frames[i], true);
    return place;
}
std::string place_of(const call_path &calls) { return place_of(calls.frames, calls.count); }

} // namespace cudacpu
