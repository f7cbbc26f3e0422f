# expect 0: cudaMemcpy was given memory of \d+ bytes that was freed before, at student.cu:\d+; new\[\] was called at student.cu:\d+, delete\[\] at student.cu:\d+
1i #include <string.h>
s/^    CUDA_CHECK(cudaMemcpy(device_a, a, .*/    char *own = new char[bytes_a];\n    memcpy(own, a, bytes_a);\n    delete[] own;\n    CUDA_CHECK(cudaMemcpy(device_a, own, bytes_a, cudaMemcpyHostToDevice));/
