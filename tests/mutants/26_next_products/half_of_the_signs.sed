# error
# half_of_the_signs - the signs are taken from half of a tile
s|i < SLICE_BYTES / sizeof \*x|i < SLICE_BYTES / sizeof *x / 2|
