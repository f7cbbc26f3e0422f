# expect 0: index \d+ of an array of type 'int \[256\]'|an index beyond an array in shared memory
# file task05_shared.cu
# full
s/part\[thread\] = x/part[first + thread] = x/
