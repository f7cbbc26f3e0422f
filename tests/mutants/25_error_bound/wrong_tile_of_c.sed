# error
# wrong_tile_of_c - where all of C is computed a tile is stored on the other side of the diagonal
s/float \*c = o.c + row \* n + column;/float *c = o.c + (all ? column * n + row : row * n + column);/
