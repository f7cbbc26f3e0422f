# expect 0: it is x as it lies in memory
# full
# file task08_transpose.cu
s/blockIdx.x \* TILE + ty, y_column = blockIdx.y \* TILE + tx/blockIdx.y * TILE + ty, y_column = blockIdx.x * TILE + tx/;s/y_row < columns \&\& y_column < rows/y_row < rows \&\& y_column < columns/;s/y_row \* rows/y_row * columns/;s/tile\[tx\]\[ty\]/tile[ty][tx]/
