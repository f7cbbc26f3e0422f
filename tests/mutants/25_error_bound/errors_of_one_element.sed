# error
# errors_of_one_element - of four elements only one has an error of rounding
s/sums->errors += /if (i == 0) sums->errors += /
