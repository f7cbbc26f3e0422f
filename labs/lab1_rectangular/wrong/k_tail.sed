# expect 35: (?s)1 x 1 x 1: 1 of 1 elements is wrong: zero.*incomplete tile of K is left out
# with SEED=424242
# full
s/start < k; start/start + TILE <= k; start/
