# error
# wrong_columns - stores the sums of another lane's columns
s/lane % 4 \* 2 + i % 2/lane % 4 + i % 2 * 4/
