# error
# long_first_sum - the first partial sum is longer than declared
s/FIRST = 128,/FIRST = 192,/
