# error
# wrong_columns - stores the sums of another lane's columns
s/lane % 4 \* 2 + j % 2/lane % 4 + j % 2 * 4/
