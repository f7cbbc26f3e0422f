# expect 0: cudaMemcpy was given \d+ bytes that were freed before, at student.cu:\d+; they were allocated at student.cu:\d+ and freed at student.cu:\d+
# gpu 0: student.cu:\d+: cudaMemcpy
/cudaMemcpy(c, device_c/i\    CUDA_CHECK(cudaFree(device_c));
/^    CUDA_CHECK(cudaFree(device_c));/d
