# error
# forgotten_memset - the padding is not cleared
/cudaMemset/d
