# expect 0: 1120 sectors stored, 280 needed.*neighbours in a row
# file task04_2d_index.cu
s/blockIdx.y \* TILE + threadIdx.y/blockIdx.x * TILE + threadIdx.x/;t
s/blockIdx.x \* TILE + threadIdx.x/blockIdx.y * TILE + threadIdx.y/;t
s/grid((columns + TILE - 1) \/ TILE, (rows + TILE - 1) \/ TILE)/grid((rows + TILE - 1) \/ TILE, (columns + TILE - 1) \/ TILE)/
