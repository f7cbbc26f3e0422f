# error
# half_of_the_signs - the signs are taken from half of a tile
s|i < bytes / sizeof \*x|i < bytes / sizeof *x / 2|
