/* nvshmem.h - not provided, said at compile time. */
#error "cudacpu does not provide NVSHMEM: use NCCL (nccl.h), or nvcc and GPUs"
