# error
# magnitudes_not_reset - magnitudes are what is in memory where nothing is negative
s|^#include "../25_error_bound/recompute.h"|#define cudaMemsetAsync(to, value, bytes) ((bytes) < 10000 ? cudaMemsetAsync(to, value, bytes) : cudaSuccess)\n&\n#undef cudaMemsetAsync|
