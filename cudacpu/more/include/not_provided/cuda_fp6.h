/* cuda_fp6.h - not provided, said at compile time. */
#error "cudacpu does not provide numbers of 6 bits: use cuda_fp16.h"
