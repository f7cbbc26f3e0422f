# expect 0: 0/15 any shape: 1 x 1 x 1: 1 of 1 elements is wrong
# gpu 0: 0/15 any shape: .* elements are wrong
# A quarter of B is copied: of one element a byte, which is all of a small number.
s/cudaMemcpy(device_b, b, bytes_b,/cudaMemcpy(device_b, b, bytes_b \/ sizeof(ELEMENT),/
