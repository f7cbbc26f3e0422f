# expect 0: refused: student.cu:1: clEnqueueNDRangeKernel
1i extern "C" int clEnqueueNDRangeKernel() { return 0; }
