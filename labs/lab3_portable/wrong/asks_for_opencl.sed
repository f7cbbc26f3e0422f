# expect 64: 0/8 OpenCL: multiples of the tile: refused: student.cl:1: it asks for __OPENCL_VERSION__
# file student.cl
1i #ifdef __OPENCL_VERSION__\
#endif
