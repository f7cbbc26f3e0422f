# error
# magnitudes_not_reset - magnitudes are what is in memory where nothing is negative
s|^#include "../25_error_bound/recompute.h"|#define cudaMemset(to, value, bytes) ((bytes) == sizeof(findings) ? cudaMemset(to, value, bytes) : cudaSuccess)\n&\n#undef cudaMemset|
