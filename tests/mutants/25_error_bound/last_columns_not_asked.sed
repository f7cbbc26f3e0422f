# error
# last_columns_not_asked - the last eight columns of a sub-tile are not held against the bound
s/            good &= /            good \&= i >= ACCUMULATORS - 4 || /
