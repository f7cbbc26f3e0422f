# hang: 12288 bytes missing
# needs_of_own_tile - a block with the lower tile of a pair asks for the flags below it
s/needs_next(o, p.top, p.column/needs_next(o, p.row, p.column/
