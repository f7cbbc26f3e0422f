# expect 10: barrier
# full
s/^    ELEMENT sum = 0;/    if (row >= m || column >= n) return;\n&/
