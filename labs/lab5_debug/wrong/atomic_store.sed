# expect 87: 0/8 product 2: .* elements are wrong
# Product 2 keeps its 1-D arrays and writes them with an atomic: no race any more, and still the wrong elements.
/==== 2:/,/==== 3:/ {
  s/part_a\[TILE\]\[TILE\], part_b\[TILE\]\[TILE\]/part_a[TILE], part_b[TILE]/
  s/part_a\[y\]\[x\] = \(.*\);/atomicExch(\&part_a[x], \1);/
  s/part_b\[y\]\[x\] = \(.*\);/atomicExch(\&part_b[y], \1);/
  s/part_a\[y\]\[i\] \* part_b\[i\]\[x\]/part_a[i] * part_b[i]/
}
