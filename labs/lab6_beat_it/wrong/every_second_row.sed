# expect 0: never written
# gpu 0: elements are wrong: zero
# full
s/dim3(tiles, tiles)/dim3(tiles, (tiles + 1) \/ 2)/
