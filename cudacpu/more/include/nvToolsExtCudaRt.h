/* nvToolsExtCudaRt.h - NVTX's old name of this header. */
#include "nvtx3/nvToolsExtCudaRt.h"
