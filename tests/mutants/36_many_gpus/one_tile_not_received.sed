# hang at n = 385: ncclSend
# one_tile_not_received - a rank receives nothing from those that have one tile of columns
s/send > 0 && receive > 0/send > 0 \&\& receive > 1/
