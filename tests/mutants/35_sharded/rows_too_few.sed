# error early at n = 1025
# rows_too_few - of each panel one row of tiles is computed
/^static void multiply_rows/,/^}/s/o.rows = (unsigned)rows;/o.rows = TILE;/
