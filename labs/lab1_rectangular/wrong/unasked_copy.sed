# expect 0: every element is never written; .*; the call at student.cu:46 failed: invalid argument \(cudaErrorInvalidValue\); the program did not ask
# gpu 0: never written
s/CUDA_CHECK(cudaMemcpy(c, device_c, bytes_c, cudaMemcpyDeviceToHost))/cudaMemcpy(c, device_c, bytes_c, cudaMemcpyHostToDevice)/
