# expect 35: only in the last 10 rows
# full
# The view begins where it would if rows had no gaps between them.
s/a.elements + (size_t)row \* a.stride + column}/a.elements + (size_t)row * a.width + column}/
