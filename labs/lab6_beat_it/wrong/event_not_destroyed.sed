# expect 0: each call leaves 1 more; cudaEventCreateWithFlags has created
/cudaEventDestroy/d
