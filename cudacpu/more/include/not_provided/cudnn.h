/* cudnn.h - not provided, said at compile time. */
#error "cudacpu does not provide cuDNN: use nvcc and a GPU"
