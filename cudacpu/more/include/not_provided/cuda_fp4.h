/* cuda_fp4.h - not provided, said at compile time. */
#error "cudacpu does not provide numbers of 4 bits: use cuda_fp16.h"
