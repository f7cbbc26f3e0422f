# error
# next_sub_tile - the list has the sub-tile below
s/= (unsigned)count_sub_tiles(o, row, column)/= (unsigned)(count_sub_tiles(o, row, column) + 1) % (unsigned)(o.n * o.n \/ 2048)/
