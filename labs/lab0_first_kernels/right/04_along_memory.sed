# expect 10: 6/6 task
# file task04_2d_index.cu
/int row = /s/=.*/= (blockIdx.y * gridDim.x + blockIdx.x) * TILE * TILE + threadIdx.y * TILE + threadIdx.x;/
/int column = /d
s/if (row < rows && column < columns)/if (row < rows * columns)/
s/y\[row \* columns + column\] = .*/y[row] = a[row \/ columns] * b[row % columns];/
