# expect 0: B transposed
# full
s/b\[(size_t)(start + y) \* n + column\]/b[(size_t)column * k + start + y]/
