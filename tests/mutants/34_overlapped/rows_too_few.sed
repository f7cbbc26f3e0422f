# error at n = 385
# rows_too_few - of each panel one row of tiles is computed
s/o.rows = (unsigned)pad((int)rows);/o.rows = TILE;/
