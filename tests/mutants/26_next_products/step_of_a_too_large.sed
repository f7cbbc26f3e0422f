# fault: a bulk copy from global memory of
# step_of_a_too_large - stages of |x0| are as far from each other as those of the slices
s/signs_a ? (unsigned)SLICE_BYTES :/signs_a ? (unsigned)TILE_BYTES :/
