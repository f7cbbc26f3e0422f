/* nvrtc.h - not provided, said at compile time. */
#error "cudacpu does not provide NVRTC, which makes code for a GPU: write the kernel in this file"
