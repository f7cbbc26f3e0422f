# error
# rows_and_columns_exchanged - sub-tiles are counted row by row, and taken from the list column by column
s|return column / TILE \* (o.n / SUB_ROWS) + row / SUB_ROWS|return row / SUB_ROWS * (o.n / TILE) + column / TILE|
