# error
# magnitudes_wait_for_nothing - the signs are taken before the first pass is over
s|^#include "../27_tile_bound/tile_bound.h"|#include "../25_error_bound/recompute.h"\n#define cudaGridDependencySynchronize() (void)0\n&\n#undef cudaGridDependencySynchronize|
