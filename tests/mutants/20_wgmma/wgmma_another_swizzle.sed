# wgmma_another_swizzle - the descriptor names another swizzle: a planted fault. The suite must reject it.
s/2ull << 62/1ull << 62/
