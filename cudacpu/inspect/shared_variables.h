/* shared_variables.h - which part of the program's thread-local storage is the shared memory of the
 * kernel that runs. The rest is other kernels', and the runtime's own. */
#ifndef CUDACPU_INSPECT_SHARED_VARIABLES_H
#define CUDACPU_INSPECT_SHARED_VARIABLES_H
#include <cstddef>
#include <string>

namespace cudacpu::inspect {

/* Offsets in the thread-local storage. */
struct shared_range {
    size_t begin, bytes; /* bytes 0: there is none */
};

/* What the kernel may use from around offset on: neighbours are one range. All that there is where
 * the program has no symbols. */
shared_range find_shared_range(size_t offset);
/* Is it where the compiler notes that a __shared__ variable of a class has been constructed? */
bool is_guard(size_t offset);
/* Is the byte at offset a variable of another kernel? */
bool is_other_kernels(size_t offset);
/* "byte 4 of tile"; "" where no variable is known. */
std::string describe_shared(size_t offset);
/* "4 bytes past the 128 bytes of tile": of so many bytes from offset on, which begin in a variable;
 * "" where they end in it. */
std::string describe_excess(size_t offset, size_t bytes);
/* Where an offset lies that the kernel may not use: "1 byte past the 128 bytes of tile", for the
 * first one behind it; "" where it has no __shared__ variables. */
std::string describe_outside(size_t offset);

} // namespace cudacpu::inspect
#endif
