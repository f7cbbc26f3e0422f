# expect 0: divergent barrier: task06_barrier.cu:\d+
# gpu 0: was stopped: not done after
# file task06_barrier.cu
/the part is complete/d
s/^        if (column < columns)$/        if (column < columns) {\n            __syncthreads();/
s/b\[(start + i) \* columns + column\];/&\n        }/
