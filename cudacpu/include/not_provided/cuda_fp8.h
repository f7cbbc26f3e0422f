/* cuda_fp8.h - not provided, said at compile time. */
#error                                                                                             \
    "cudacpu does not provide numbers of 8 bits: use cuda_fp16.h or cuda_bf16.h, or nvcc and a \
GPU"
