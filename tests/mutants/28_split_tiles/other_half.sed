# error
# other_half - each block copies the rows of the other one
s/offset(p.row, 0, 0, o.n),/offset(p.split ? 2 * p.top + TILE \/ 2 - p.row : p.row, 0, 0, o.n),/
