# error
# columns_too_few - each rank slices one tile of its columns
s/o.columns = (unsigned)s->count;/o.columns = TILE;/
