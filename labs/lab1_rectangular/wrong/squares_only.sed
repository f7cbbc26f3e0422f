# expect 5: right when M = N
s/b\[(size_t)(start + y) \* n/b[(size_t)(start + y) * m/
