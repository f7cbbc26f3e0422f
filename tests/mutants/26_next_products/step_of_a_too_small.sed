# error
# step_of_a_too_small - without signs stages of x0 are as far from each other as magnitudes
s/\(signs_a ? (unsigned)SLICE_BYTES : \)(unsigned)TILE_BYTES/\1(unsigned)SLICE_BYTES/
