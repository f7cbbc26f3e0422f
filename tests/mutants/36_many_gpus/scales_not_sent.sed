# error at n = 385
# scales_not_sent - a rank does not get the scales of other ranks' columns
/{o.scale_b, TILE/d
