/* cuda_pipeline.h - not provided, said at compile time. */
#error "cudacpu does not provide cuda_pipeline.h: this program needs nvcc and a GPU"
