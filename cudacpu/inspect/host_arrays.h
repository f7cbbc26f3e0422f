/* host_arrays.h - arrays of host code that are shorter than what a copy takes from them or brings
 * there. */
#ifndef CUDACPU_INSPECT_HOST_ARRAYS_H
#define CUDACPU_INSPECT_HOST_ARRAYS_H
#include <cstddef>
#include <string>

namespace cudacpu::inspect {

/* An API function will read or write bytes from pointer on, in the host's memory. A fault if the
 * array is known that pointer lies in, and shorter: a block of the heap, a variable of the program,
 * memory of cudaMallocHost or cudaMallocManaged. Returns how many of the bytes may be used; of the
 * last two kinds all, since there the call fails. */
size_t check_host_array(const char *function, const void *pointer, size_t bytes, bool write);

/* "a host array of 40 bytes (allocated at FILE:LINE)"; "" where none is known. */
std::string describe_host_array(const void *pointer);

} // namespace cudacpu::inspect
#endif
