# k_tail - the last, incomplete tile is left out: a planted fault. The suite must reject it.
s/k < n; k += TILE/k + TILE <= n; k += TILE/
