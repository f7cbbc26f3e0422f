# error
# recompute_waits_for_nothing - what is computed in double does not wait for the list
s|^#include "../27_tile_bound/tile_bound.h"|#define cudaGridDependencySynchronize() (void)0\n#include "../25_error_bound/recompute.h"\n#undef cudaGridDependencySynchronize\n&|
