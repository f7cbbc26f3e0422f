# expect 100: 14/14 tiles
# Events that are made once, for all calls.
s/^    cudaEvent_t start, stop;/    static cudaEvent_t start, stop;/
s/^    CUDA_CHECK(cudaEventCreate(&\(start\|stop\)));/    if (!\1)\
        CUDA_CHECK(cudaEventCreate(\&\1));/
/cudaEventDestroy/d
