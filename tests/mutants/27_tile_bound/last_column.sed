# error
# last_column - the last column is never the worst
s/x < TILE; x += 32/x < TILE - 1; x += 32/
