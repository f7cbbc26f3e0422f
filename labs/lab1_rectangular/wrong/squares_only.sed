# expect 5: right when M = N
# full
s/b\[(size_t)(start + y) \* n/b[(size_t)(start + y) * m/
