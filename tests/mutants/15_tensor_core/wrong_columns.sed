# wrong_columns - stores the sums of another lane's columns: a planted fault. The suite must reject it.
s/lane % 4 \* 2 + j % 2/lane % 4 + j % 2 * 4/
