# expect 100: 14/14 tiles
# full
/cudaEventRecord(start/i\    launch(kernel, device_a, device_b, device_c, m, n, k, block);
