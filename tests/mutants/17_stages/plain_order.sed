# error
# plain_order - copies without the swizzle that loads expect
s/&tile\[d\]\[i\]\[swizzle(i, segment)\]/\&tile[d][i][16 * segment]/
