# expect 16: only in the incomplete tiles at the edge
# full
# Rows and columns behind the last whole block get no threads.
s/return dim3(.*/return dim3(c.width \/ BLOCK, c.height \/ BLOCK);/
