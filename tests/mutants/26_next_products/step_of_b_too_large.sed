# error
# step_of_b_too_large - stages of |y0| are as far from each other as those of the slices
s/signs_b ? (unsigned)SLICE_BYTES :/signs_b ? (unsigned)TILE_BYTES :/
