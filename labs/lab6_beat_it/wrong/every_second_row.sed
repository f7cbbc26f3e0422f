# expect 0: never written
# full
s/dim3(tiles, tiles)/dim3(tiles, (tiles + 1) \/ 2)/
