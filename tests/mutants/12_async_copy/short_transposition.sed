# error
# short_transposition - columns of A beyond the last whole tile are not transposed
s/dim3(tiles \* BN \/ SIDE, /dim3(max(n \/ SIDE, 1), /
