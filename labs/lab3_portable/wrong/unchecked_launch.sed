# expect 94: a launch was made to fail
# full
/cudaGetLastError/d
