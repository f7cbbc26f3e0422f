# error
# last_columns - the worst column is looked for in the first 96
s/x < TILE; x += 32/x < TILE - 32; x += 32/
