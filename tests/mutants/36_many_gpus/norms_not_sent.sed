# error at n = 385
# norms_not_sent - a rank does not get the norms of other ranks' columns
/{o.norms_b, TILE/d
