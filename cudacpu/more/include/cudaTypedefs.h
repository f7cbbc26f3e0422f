/* cudaTypedefs.h - types of pointers to the driver API's functions: programs include it for tensor
 * maps, which are refused where they are used (compiler/not_provided.cpp), as are the types. */
#include "cuda.h"
