# hang: 12288 bytes missing
# half_expects_all - the full barrier expects the bytes of a whole tile of A
s/rows \* BK \* SLICES + TILE_BYTES/sizeof *s/
