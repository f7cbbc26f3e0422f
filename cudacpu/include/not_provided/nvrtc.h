/* nvrtc.h - not provided, said at compile time. */
#error "cudacpu does not provide nvrtc.h: this program needs nvcc and a GPU"
