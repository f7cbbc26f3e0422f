# expect 0: x
s/^    size_t x = threadIdx.x, y/    size_t x = threadIdx.z y/
