# error
# wgmma_another_swizzle - the descriptor names another swizzle
s/swizzle_64_bytes = 2/swizzle_64_bytes = 1/
