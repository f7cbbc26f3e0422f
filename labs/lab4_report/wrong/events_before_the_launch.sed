# expect 68: times are not those of its kernel
# full
/launch(kernel, device_a/d
/cudaEventElapsedTime/a launch(kernel, device_a, device_b, device_c, m, n, k, block);
