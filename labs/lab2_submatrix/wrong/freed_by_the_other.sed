# expect 84: memory of cudaMallocHost was given to free, and belongs to cudaFreeHost(.*\n)0/5 5: pageable memory.*cudaFreeHost was given a pointer that was not allocated by CUDA
# gpu 84: cudaFreeHost\(memory\): invalid argument
/void free_host/,/^}/ s/if (pinned)/if (!pinned)/
