# expect 0: the last step, part\[0\] \+= part\[1\], is left out
# full
# file task07_reduction.cu
s/half > 0/half > 1/
