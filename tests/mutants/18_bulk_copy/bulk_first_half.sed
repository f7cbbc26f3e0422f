# bulk_first_half - a block takes the first columns of a tile for the last: a planted fault. The suite must reject it.
s|image_layout::offset(column, 0|image_layout::offset(column / TILE * TILE, 0|
