# expect 20: only in the incomplete tiles at the edge
# full
s/grid((n + TILE - 1) \/ TILE, (m + TILE - 1) \/ TILE)/grid(n \/ TILE + (n < TILE), m \/ TILE + (m < TILE))/
