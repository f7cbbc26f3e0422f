# expect 0: x
# The view begins where it would if rows had no gaps between them.
s/a.elements + (size_t)row \* a.stride + column}/a.elements + (size_t)row * a.width + column}/
