/* cublas_api.h - programs include it by habit; all of it is in cublas_v2.h. */
#include "cublas_v2.h"
