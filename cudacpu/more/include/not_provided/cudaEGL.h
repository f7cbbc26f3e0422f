/* cudaEGL.h - not provided, said at compile time. */
#error "cudacpu does not provide the interoperation with EGL: copy to the host"
