# expect 35: 0/10 1, 4: .* 224 of 256 elements are never written
# gpu 35: 0/10 1, 4: .* elements are (wrong|never written)
# full
# The view takes its own width for its stride.
s/min(BLOCK, a.height - row), a.stride,/min(BLOCK, a.height - row), BLOCK,/
