/* nvJitLink.h - not provided, said at compile time. */
#error "cudacpu does not provide nvJitLink: write the kernel in this file"
