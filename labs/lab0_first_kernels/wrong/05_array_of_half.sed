# expect 0: task 5: shared: n = 1024: (?!gave up).*index 128 of an array of type 'int \[128\]'
# What is written past it must not be told as an error of the launch.
# file task05_shared.cu
s/__shared__ int part\[BLOCK\]/__shared__ int part[BLOCK \/ 2]/
