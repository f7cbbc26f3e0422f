# expect 64: 0/6 OpenCL: no race, no access outside: refused: student.cl:1: a kernel is one file
# file student.cl
# full
1i #include <cuda_runtime.h>
