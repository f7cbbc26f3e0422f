/* environment.cpp - reads settings from the environment. */
#include "environment.h"
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace cudacpu {

void refuse_setting(const char *name, const char *value, const char *wanted) {
    fflush(stdout);
    fprintf(stderr, "cudacpu: %s is '%s'; it must be %s\n", name, value, wanted);
    _exit(2); /* work that is left would ask again */
}

uint64_t read_setting(const char *name, uint64_t otherwise, uint64_t least, uint64_t most) {
    const char *text = getenv(name);
    if (!text || !*text)
        return otherwise;
    char *end, wanted[80];
    errno = 0;
    const uint64_t number = strtoull(text, &end, 10);
    if (!*end && !errno && !strchr("+- ", *text) && number >= least && number <= most)
        return number;
    snprintf(wanted, sizeof wanted, "a number from %" PRIu64 " to %" PRIu64, least, most);
    refuse_setting(name, text, wanted);
}

} // namespace cudacpu
