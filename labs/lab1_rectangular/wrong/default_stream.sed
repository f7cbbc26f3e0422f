# expect 5: no race.*: missing event: student.cu:\d+: kernel multiplyKernel in the default stream reads .*; uninitialised read
# gpu 0-100: missing event
# full
# The copies' stream does not wait for the kernel's, nor the other way round; what is read too early is a consequence.
s/^    ELEMENT \*device_a/    cudaStream_t copies;\n    CUDA_CHECK(cudaStreamCreateWithFlags(\&copies, cudaStreamNonBlocking));\n&/
s/cudaMemcpy(\(.*\), \(cudaMemcpy[A-Za-z]*\))/cudaMemcpyAsync(\1, \2, copies)/
s/^    CUDA_CHECK(cudaFree(device_a))/    CUDA_CHECK(cudaStreamSynchronize(copies));\n    CUDA_CHECK(cudaStreamDestroy(copies));\n&/
