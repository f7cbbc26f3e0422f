/* nvToolsExt.h - NVTX's old name of this header. */
#include "nvtx3/nvToolsExt.h"
