# short_transposition - columns of A beyond the last whole tile are not transposed: a planted fault. The suite must reject it.
s/dim3(tiles \* BN \/ SIDE, /dim3(max(n \/ SIDE, 1), /
