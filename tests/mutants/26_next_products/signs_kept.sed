# error
# signs_kept - magnitudes keep their signs
s|^#include "../25_error_bound/recompute.h"|#define __vabs4(x) (x)\n#include "../25_error_bound/error_bound.h"\n#undef __vabs4\n&|
