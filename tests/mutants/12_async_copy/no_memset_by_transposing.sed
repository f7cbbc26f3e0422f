# no_memset_by_transposing - the padding is not transposed: a planted fault. The suite must reject it.
s/dim3(tiles \* BN \/ SIDE, /dim3((n + SIDE - 1) \/ SIDE, /
