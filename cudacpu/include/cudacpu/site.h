/* site.h - a place in the user's source, for the runtime's sentences. */
#ifndef CUDACPU_SITE_H
#define CUDACPU_SITE_H

namespace cudacpu {
struct site {
    const char *file;
    int line;
};
} // namespace cudacpu

/* The last parameters of a device function: the place of the call. */
#define CUDACPU_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()
#endif
