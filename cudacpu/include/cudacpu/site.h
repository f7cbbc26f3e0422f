/* site.h - a place in the user's source, for the runtime's sentences. */
#ifndef CUDACPU_SITE_H
#define CUDACPU_SITE_H

namespace cudacpu {
/* number: which barrier of its line it is, so that two on one line are two; 0 where nobody asks. */
struct site {
    const char *file;
    int line, number;
    constexpr site(const char *file = "", int line = 0, int number = 0)
        : file(file), line(line), number(number) {}
};
} // namespace cudacpu

/* The last parameters of a device function: the place of the call. */
#define CUDACPU_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()
/* Its address, for the call in which it stands. */
#define CUDACPU_HERE (&static_cast<const ::cudacpu::site &>(::cudacpu::site(file, line)))
#endif
