# expect 0: memory that is still registered was given to free: cudaHostUnregister comes before, at student.cu:\d+
# full
1i #include <stdlib.h>
/cudaMemcpy(c, device_c/i\    void *rows = malloc(4096);\n    CUDA_CHECK(cudaHostRegister(rows, 4096, 0));\n    free(rows);
