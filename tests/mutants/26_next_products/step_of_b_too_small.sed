# error
# step_of_b_too_small - without signs stages of y0 are as far from each other as magnitudes
s/\(signs_b ? (unsigned)SLICE_BYTES : \)(unsigned)TILE_BYTES/\1(unsigned)SLICE_BYTES/
