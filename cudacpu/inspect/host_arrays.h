/* host_arrays.h - arrays of host code that are shorter than what a copy takes from them or brings
 * there. */
#ifndef CUDACPU_INSPECT_HOST_ARRAYS_H
#define CUDACPU_INSPECT_HOST_ARRAYS_H
#include <cstddef>
#include <string>

namespace cudacpu::inspect {

/* "a host array of 40 bytes (allocated at FILE:LINE)"; "" where none is known. */
std::string describe_host_array(const void *pointer);

} // namespace cudacpu::inspect
#endif
