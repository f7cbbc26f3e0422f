# expect 87: 0/8 product 2: .* elements are wrong
# full
# Product 2 keeps its 1-D arrays, and one row of threads fills them: no race, but the other rows' elements are not there.
/==== 2:/,/==== 3:/ {
  s/part_a\[TILE\]\[TILE\], part_b\[TILE\]\[TILE\]/part_a[TILE], part_b[TILE]/
  s/part_a\[y\]\[x\] = /if (y == 0) part_a[x] = /
  s/part_b\[y\]\[x\] = /if (x == 0) part_b[y] = /
  s/part_a\[y\]\[i\] \* part_b\[i\]\[x\]/part_a[i] * part_b[i]/
}
