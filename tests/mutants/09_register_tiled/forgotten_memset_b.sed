# error
# forgotten_memset_b - the padding of B is not cleared
/cudaMemset(device_b/d
