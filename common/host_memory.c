/* host_memory.c - how much host memory can be had. */
#define _POSIX_C_SOURCE 200809L
#include "host_memory.h"
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The number that follows key in a file of "key number" lines (key "" for the first word of the
 * file). Returns 0 when there is no such file, no such line or no number ("max"). */
static int read_number(const char *path, const char *key, uint64_t *value) {
    char line[256];
    int found = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        unsigned long long number;
        if (strncmp(line, key, strlen(key)) == 0 &&
            sscanf(line + strlen(key), "%llu", &number) == 1) {
            *value = number;
            found = 1;
        }
    }
    fclose(file);
    return found;
}

static uint64_t at_most(uint64_t limit, uint64_t used) { return limit > used ? limit - used : 0; }

/* What the control groups (version 2) of this process leave: its own and every one above it. */
static uint64_t cgroup_free_bytes(void) {
    uint64_t least = UINT64_MAX;
    char group[1024] = "", path[2048];
    FILE *file = fopen("/proc/self/cgroup", "r");
    if (file != NULL) {
        char line[1024];
        while (fgets(line, sizeof line, file) != NULL)
            if (strncmp(line, "0::", 3) == 0)
                snprintf(group, sizeof group, "%s", line + 3);
        fclose(file);
        group[strcspn(group, "\n")] = '\0';
    }
    for (;;) {
        uint64_t limit, used, cached = 0;
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", group);
        if (read_number(path, "", &limit)) {
            snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.current", group);
            if (read_number(path, "", &used)) {
                /* Cached file pages count as used, but the kernel gives them up before it refuses
                 * memory. */
                snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.stat", group);
                read_number(path, "inactive_file ", &cached);
                uint64_t left = at_most(limit, at_most(used, cached));
                least = left < least ? left : least;
            }
        }
        char *slash = strrchr(group, '/');
        if (slash == NULL)
            return least;
        *slash = '\0';
    }
}

size_t host_free_bytes(void) {
    uint64_t least = UINT64_MAX, number;
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (read_number("/proc/meminfo", "MemAvailable:", &number)) {
        least = number * 1024;
    } else {
#ifdef _SC_PHYS_PAGES
        long pages = sysconf(_SC_PHYS_PAGES);
        if (pages > 0)
            least = (uint64_t)pages * page;
#endif
    }
    uint64_t left = cgroup_free_bytes();
    least = left < least ? left : least;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        uint64_t pages = 0;
        read_number("/proc/self/statm", "", &pages);
        left = at_most((uint64_t)limit.rlim_cur, pages * page);
        least = left < least ? left : least;
    }
    if (least == UINT64_MAX)
        return 0;
    return least > 0 ? (size_t)least : 1; /* nothing is left, and that is known */
}
