# expect 35: incomplete tile of K is left out
s/start < k; start/start + TILE <= k; start/
