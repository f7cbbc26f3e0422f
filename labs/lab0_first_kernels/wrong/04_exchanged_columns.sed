# expect 0: \d+ sectors stored, 280 needed.*neighbours in a row
# full
# file task04_2d_index.cu
s/int row = .*/int column = blockIdx.x * TILE + threadIdx.y;/
s/int column = blockIdx.x \* TILE + threadIdx.x;/int row = blockIdx.y * TILE + threadIdx.x;/
s/y\[row \* columns + column\] = \(.*\);/atomicExch(y + row * columns + column, \1);/
