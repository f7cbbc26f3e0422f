# expect 10: divergent barrier: student.cu:\d+.*\(another one there\)
# gpu 10-60: divergent barrier
# full
s/^        __syncthreads(); \/\* the tiles.*/        if (row < m) __syncthreads(); else __syncthreads();/
