# error
# plain_sum - the small kernel's sum has no compensation
s/\* tile_b\[i\]\[x\] - compensation/* tile_b[i][x]/
