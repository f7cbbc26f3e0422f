/* cudaGL.h - not provided, said at compile time. */
#error                                                                                             \
    "cudacpu does not provide the interoperation with OpenGL: copy to the host and draw there, \
or use nvcc and a GPU"
