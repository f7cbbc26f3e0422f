# expect 88: memory not freed
/cudaFree(device_b)/d
