# expect 19: right when M = N = K; 32 x 48
# The view begins where it would if rows had no gaps between them.
s/a.elements + (size_t)row \* a.stride + column}/a.elements + (size_t)row * a.width + column}/
