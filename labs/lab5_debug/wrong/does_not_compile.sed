# expect 0: does not compile: student.cu:
# full
s/^    size_t x = threadIdx.x, y/    size_t x = threadIdx.z y/
