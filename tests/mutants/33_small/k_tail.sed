# error
# k_tail - the last, incomplete tile is left out
s/k < n; k += TILE/k + TILE <= n; k += TILE/
