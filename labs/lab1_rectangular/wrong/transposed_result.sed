# expect 0: transposed
s/c\[(size_t)row \* n + column\]/c[(size_t)column * m + row]/
