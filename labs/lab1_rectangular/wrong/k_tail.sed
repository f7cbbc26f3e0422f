# expect 35: incomplete tile of K is left out
# full
s/start < k; start/start + TILE <= k; start/
