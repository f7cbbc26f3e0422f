# expect 35: 0/12 3, 4: tiled, any shape: (?!right when m = n)
# full
s/min(BLOCK, a.width - column), min(BLOCK, a.height - row)/min(BLOCK, a.height - row), min(BLOCK, a.width - column)/
