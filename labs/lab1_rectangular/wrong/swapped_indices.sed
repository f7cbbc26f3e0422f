# expect 0: B transposed
s/b\[(size_t)(start + y) \* n + column\]/b[(size_t)column * k + start + y]/
