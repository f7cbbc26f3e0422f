# expect 72: shared race: student.cu
s/rows\[i\] = first_row/rows[i % n] = first_row/
s/rows\[y \* n + i\]/rows[i]/
