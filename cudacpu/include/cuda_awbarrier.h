/* cuda_awbarrier.h - another name of the primitives of a block's barriers. */
#include "cuda_awbarrier_primitives.h"
