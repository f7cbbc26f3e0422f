/* names.h - the name of an allocation: that of the variable which the program gives it to. */
#ifndef CUDACPU_INSPECT_NAMES_H
#define CUDACPU_INSPECT_NAMES_H
#include "places.h"

namespace cudacpu::inspect {

/* For the call of cudaMalloc (or of one of its kin) at p that returns to return_address; the file
 * and line where the source has no name. */
std::string name_allocation(const place &p, uintptr_t return_address);

} // namespace cudacpu::inspect
#endif
