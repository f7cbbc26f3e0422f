# expect 0: transposed
# full
s/c\[(size_t)row \* n + column\]/c[(size_t)column * m + row]/
