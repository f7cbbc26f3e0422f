# neighbours_flag - a warp marks the strip of the tile to the right: a planted fault. The suite must reject it.
s/mark(marked, p, row, column, again)/mark(marked, p, row, column + (column + TILE < p.n ? TILE : 0), again)/
