/* tf32.cu - the same call with operands rounded to 11 bits, on the tensor cores: what speed costs
 * when nobody asks. */
#define MATH_MODE CUBLAS_TF32_TENSOR_OP_MATH
#include "sgemm.cu"
