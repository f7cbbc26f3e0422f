/* machine.h - what this machine has for cudacpu: processors and memory. */
#ifndef CUDACPU_RUNTIME_MACHINE_H
#define CUDACPU_RUNTIME_MACHINE_H
#include <cstddef>

namespace cudacpu {

int processors(); /* that this process may use */
size_t page_bytes();
size_t total_memory(); /* bytes, within the control group's limit */
size_t free_memory();  /* bytes that this process can still get */

} // namespace cudacpu
#endif
