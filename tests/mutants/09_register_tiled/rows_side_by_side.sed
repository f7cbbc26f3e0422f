# error
# rows_side_by_side - a result goes one row below, not sixteen
s/to_row = row + THREADS \* i/to_row = row + i/
