# expect 0: cudaMemcpy was given memory of 400000 bytes that was freed before, at student.cu:\d+; malloc was called at student.cu:\d+, free at student.cu:\d+
1i #include <stdlib.h>\
#include <string.h>
/cudaMemcpy(device_b/i\    char *zeros = (char *)malloc(400000);\n    memset(zeros, 0, 400000);\n    free(zeros);\n    CUDA_CHECK(cudaMemcpy(device_c, zeros, sizeof(ELEMENT), cudaMemcpyHostToDevice));
