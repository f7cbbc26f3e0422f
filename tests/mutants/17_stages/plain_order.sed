# plain_order - copies without the swizzle that loads expect: a planted fault. The suite must reject it.
s/&tile\[d\]\[i\]\[swizzle(i, segment)\]/\&tile[d][i][16 * segment]/
