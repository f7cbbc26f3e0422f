# magnitude_is_known - |x0| |y0| is taken for |X| |Y|, and for more: a planted fault. The suite must reject it.
s/least = 0.999f \* 0x1p32f/least = 0x1p48f/
