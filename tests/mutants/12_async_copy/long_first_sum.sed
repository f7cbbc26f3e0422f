# long_first_sum - the first partial sum is longer than declared: a planted fault. The suite must reject it.
s/FIRST = 128,/FIRST = 192,/
