# expect 0: each call leaves 1 more; cudaStreamCreateWithFlags has created
# full
/cudaStreamDestroy(copies)/d
