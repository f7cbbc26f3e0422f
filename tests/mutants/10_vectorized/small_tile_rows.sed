# fault: wrote 1 byte past a
# small_tile_rows - the small tile has rows of the large one
s/i \/ 4 \* 16, to_column/i \/ 4 * 64, to_column/
