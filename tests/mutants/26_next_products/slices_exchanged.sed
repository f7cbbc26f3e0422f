# error
# slices_exchanged - y1 and y2 are exchanged
s/s->b + slice, b + slice/s->b + slice, b + TILE_BYTES - slice/
