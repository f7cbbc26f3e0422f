/* xt_pinned.cu - the same for matrices that were copied to pinned memory before the clock starts.
 */
#define PINNED true
#include "xt.cu"
