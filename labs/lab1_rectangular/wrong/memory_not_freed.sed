# expect 75: memory not freed
/cudaFree(device_b)/d
