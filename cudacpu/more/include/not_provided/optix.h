/* optix.h - not provided, said at compile time. */
#error "cudacpu does not provide OptiX: use nvcc and a GPU"
