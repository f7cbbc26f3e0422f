/* cuda_pipeline.h - the C functions for asynchronous copies; the C++ pipeline classes are not
 * provided. */
#include "cuda_pipeline_primitives.h"
