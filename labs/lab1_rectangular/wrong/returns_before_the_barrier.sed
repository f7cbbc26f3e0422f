# expect 10: barrier
s/^    ELEMENT sum = 0;/    if (row >= m || column >= n) return;\n&/
