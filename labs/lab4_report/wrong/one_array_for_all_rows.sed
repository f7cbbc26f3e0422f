# expect 72: race: line
s/rows\[i\] = first_row/rows[i % n] = first_row/
s/rows\[y \* n + i\]/rows[i]/
