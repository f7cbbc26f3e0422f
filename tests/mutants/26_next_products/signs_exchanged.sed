# error
# signs_exchanged - magnitudes are those of the operand without signs
s/signs_a = o.signs_a\[row . TILE\], signs_b = o.signs_b\[column . TILE\]/signs_a = o.signs_b[column \/ TILE], signs_b = o.signs_a[row \/ TILE]/
