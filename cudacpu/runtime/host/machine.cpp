/* machine.cpp - settings of the environment; processors and memory, as Linux tells them. */
#include "machine.h"
#include "text.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace cudacpu {

void refuse_setting(const char *name, const char *value, const char *wanted) {
    fflush(stdout);
    say(name, " is '", value, "'; it must be ", wanted);
    _exit(2); /* work that is left would ask again */
}

uint64_t read_setting(const char *name, uint64_t otherwise, uint64_t least, uint64_t most) {
    const char *text = getenv(name);
    if (!text || !*text)
        return otherwise;
    char *end;
    errno = 0;
    const uint64_t number = strtoull(text, &end, 10);
    if (!*end && !errno && !strchr("+- ", *text) && number >= least && number <= most)
        return number;
    refuse_setting(name, text, cudacpu::text("a number from ", least, " to ", most).c_str());
}

unsigned read_word_setting(const char *name, std::initializer_list<const char *> words,
                           unsigned otherwise) {
    const char *text = getenv(name);
    std::string all;
    for (const char *const *word = words.begin(); text && *text && word < words.end(); word++) {
        if (strcmp(text, *word) == 0)
            return (unsigned)(word - words.begin());
        all += (all.empty() ? "" : word + 1 < words.end() ? ", " : " or ") + std::string(*word);
    }
    if (!all.empty())
        refuse_setting(name, text, all.c_str());
    return otherwise;
}

uint64_t read_number(const char *path, const char *key, uint64_t otherwise) {
    FILE *file = fopen(path, "r");
    char line[256];
    uint64_t value = otherwise;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0 &&
            sscanf(line + strlen(key), " %" SCNu64, &value) == 1)
            break;
    if (file)
        fclose(file);
    return value;
}

uint64_t nanoseconds_now() {
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return (uint64_t)std::chrono::nanoseconds(time).count();
}

uint64_t processor_nanoseconds() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

int processors() {
    static int count = [] {
        cpu_set_t set;
        const long online = sysconf(_SC_NPROCESSORS_ONLN);
        const int there = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                          : online > 0                                ? (int)online
                                                                      : 1;
        return std::min(there, (int)read_setting("CUDACPU_PROCESSORS", 1024, 1, 1024));
    }();
    return count;
}

size_t page_bytes() {
    static const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    return bytes;
}

size_t total_memory() {
    uint64_t total = read_number("/proc/meminfo", "MemTotal:", 0) * 1024;
    uint64_t group = read_number("/sys/fs/cgroup/memory.max", "", UINT64_MAX);
    if (total == 0)
        total = (uint64_t)sysconf(_SC_PHYS_PAGES) * page_bytes();
    return group < total ? group : total;
}

size_t free_memory() {
    const auto left = [](uint64_t most, uint64_t used) { return most > used ? most - used : 0; };
    uint64_t available =
        read_number("/proc/meminfo", "MemAvailable:", total_memory() / 1024) * 1024;
    const uint64_t group = read_number("/sys/fs/cgroup/memory.max", "", UINT64_MAX);
    if (group != UINT64_MAX)
        available =
            std::min(available, left(group, read_number("/sys/fs/cgroup/memory.current", "", 0)));
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        available = std::min(
            available, left(limit.rlim_cur, read_number("/proc/self/statm", "", 0) * page_bytes()));
    return available;
}

} // namespace cudacpu
