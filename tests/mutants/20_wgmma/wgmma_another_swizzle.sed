# error
# wgmma_another_swizzle - the descriptor names another swizzle
s/2ull << 62/1ull << 62/
