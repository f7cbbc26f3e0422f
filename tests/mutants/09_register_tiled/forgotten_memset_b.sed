# forgotten_memset_b - the padding of B is not cleared: a planted fault. The suite must reject it.
/cudaMemset(device_b/d
