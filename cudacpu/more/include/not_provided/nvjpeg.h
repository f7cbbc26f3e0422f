/* nvjpeg.h - not provided, said at compile time. */
#error "cudacpu does not provide nvJPEG: use libjpeg on the host, or nvcc and a GPU"
