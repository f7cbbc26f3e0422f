# neighbours_flag - a warp marks the strip above or below its own: a planted fault. The suite must reject it.
s|+ threadIdx.x / 32, fails)|+ (threadIdx.x / 32 ^ 1), fails)|
