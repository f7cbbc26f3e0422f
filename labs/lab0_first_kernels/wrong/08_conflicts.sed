# expect 0: \d+ bank conflicts, 0 needed.*32 banks
# file task08_transpose.cu
s/TILE + 1\]/TILE]/
