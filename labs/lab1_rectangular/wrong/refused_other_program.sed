# expect 0: refused: student.cu:.*another one
/__syncthreads/c #ifdef __AVX2__\
__syncthreads();\
#endif
