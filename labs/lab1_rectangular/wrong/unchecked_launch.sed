# expect 85: a launch was made to fail
/cudaGetLastError/d
