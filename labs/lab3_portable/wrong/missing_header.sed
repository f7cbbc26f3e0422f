# expect 36: 0/13 CUDA: any shape: does not compile: student.cu:1:10: fatal error: helper.h: No such file or directory(.*\n)*13/13 OpenCL: any shape
# full
1i #include "helper.h"
