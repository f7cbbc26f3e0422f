# expect 29: not a number
# full
s/^        c\[(size_t)row \* k + column\] = sum;$/        c[(size_t)row * k + column] = row == m \/ 2 ? nan("") : sum;/
