# expect 0: x
# The view takes its own width for its stride.
s/min(BLOCK, a.height - row), a.stride,/min(BLOCK, a.height - row), BLOCK,/
