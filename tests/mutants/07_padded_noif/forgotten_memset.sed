# forgotten_memset - the padding is not cleared: a planted fault. The suite must reject it.
/cudaMemset/d
