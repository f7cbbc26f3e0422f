# expect 88: 0/7 product 5: .* never written
# full
# Product 5: blocks of at most 32 x 32 threads, on the grid that was meant for larger ones.
/==== 5:/,/==== 6:/ s/block(edge, edge)/block(min(edge, 32u), min(edge, 32u))/
