# error
# magnitude_is_larger - the lower bound of |A| |B| is no lower bound
s/0.999f \* 0x1p32f/0x1p48f/
