# expect 88: each call leaves 2 more; cudaEventCreate has created
/cudaEventDestroy/d
