/* cufft.h - not provided, said at compile time. */
#error "cudacpu does not provide cuFFT: use FFTW on the host, or nvcc and a GPU"
