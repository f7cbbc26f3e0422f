# expect 84: nothing is read from shared memory: the kernel does not use whole rows
/columns\[i\] = first_column/d
/rows\[i\] = first_row/d
s/sum += rows\[y \* n + i\] \* columns\[x \* n + i\]/sum += a[(size_t)row * n + i] * b[(size_t)i * k + column]/
