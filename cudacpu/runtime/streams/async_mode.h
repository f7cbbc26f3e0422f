/* async_mode.h - CUDACPU_ASYNC: when what is asynchronous is done, of all that happens-before
 * allows; and the random numbers, by a seed, that draw it. */
#ifndef CUDACPU_RUNTIME_ASYNC_MODE_H
#define CUDACPU_RUNTIME_ASYNC_MODE_H
#include <cstdint>

namespace cudacpu {

/* EARLY: when it is issued. LATE: at the last moment that the program's waits allow. RANDOM:
 * either, drawn for each by CUDACPU_SEED, the same in every run. */
enum async_mode { EARLY, LATE, RANDOM };

/* What CUDACPU_ASYNC says, else the default. A word that it does not know ends the program. */
async_mode read_async_mode();
/* For a program whose host code uses device memory as it likes (Thrust's algorithms). */
void insist_on_early();
/* The default; an observer that wants another sets it before main. */
inline async_mode default_async_mode = EARLY;

/* Is this effect late? In a kernel the answers depend on the numbers of launch and block, not on
 * the OS threads. */
bool happens_late();
bool happens_late(uint64_t launch, uint64_t block);
/* A number below count, of those that RANDOM draws. */
unsigned draw(unsigned count);
/* The kernel's draws begin anew with each launch: its number. */
uint64_t begin_launch_draws();

} // namespace cudacpu
#endif
