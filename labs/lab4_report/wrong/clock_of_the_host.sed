# expect 68: multiply_tiled's times are not what cudaEventElapsedTime gives: task 7 takes them by two events
# gpu 100: \d+/\d+
1i #include <chrono>
s/CUDA_CHECK(cudaEventRecord(start, 0));/auto begin = std::chrono::steady_clock::now();/
s/CUDA_CHECK(cudaEventRecord(stop, 0));/CUDA_CHECK(cudaDeviceSynchronize());/
s/CUDA_CHECK(cudaEventElapsedTime(.*/milliseconds = std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin).count();/
/cudaEventSynchronize/d
