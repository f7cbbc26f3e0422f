# error
# wrong_tile_of_c - where all of C is computed a tile is stored on the other side of the diagonal
s/o.c + row \* n + column, n,$/o.c + column * n + row, n,/
