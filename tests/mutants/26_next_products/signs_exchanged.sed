# error
# signs_exchanged - magnitudes are those of the operand without signs
s/signs_a = o.found->negative_a, signs_b = o.found->negative_b/signs_a = o.found->negative_b, signs_b = o.found->negative_a/
