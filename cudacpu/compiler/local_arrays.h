/* local_arrays.h - local arrays of observed kernels get red zones. */
#ifndef CUDACPU_COMPILER_LOCAL_ARRAYS_H
#define CUDACPU_COMPILER_LOCAL_ARRAYS_H
#include <cstddef>

/* Token i stands in a function of the device whose body begins at token body: if it begins a
 * declaration of arrays, these become members of cudacpu::local_array
 * (include/cudacpu/local_array.h). */
void rewrite_local_arrays(size_t i, size_t body);

#endif
