# small_tile_rows - the small tile has rows of the large one: a planted fault. The suite must reject it.
s/i \/ 4 \* 16, to_column/i \/ 4 * 64, to_column/
