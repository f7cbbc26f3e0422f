# error
# first_slice_twice - both blocks copy y1
s/slice = (1 + rank) \* SLICE_BYTES/slice = SLICE_BYTES/
