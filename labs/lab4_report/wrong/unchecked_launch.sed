# expect 93: a launch was made to fail
/cudaGetLastError/d
