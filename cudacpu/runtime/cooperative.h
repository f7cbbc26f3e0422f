/* cooperative.h - launches whose blocks wait for each other: they run as one cluster. */
#ifndef CUDACPU_RUNTIME_COOPERATIVE_H
#define CUDACPU_RUNTIME_COOPERATIVE_H
#include <cstdint>

namespace cudacpu {

/* So many blocks of that many threads are resident together. */
uint64_t most_cooperative_blocks(uint64_t threads);

} // namespace cudacpu
#endif
