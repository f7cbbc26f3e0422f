# expect 0: x
# Product 7: threads outside C leave before the first barrier, and nobody loads their part.
/==== 7:/,/==== 8:/ s/^    int sum = 0;/    if (row >= m || column >= n)\n        return;\n&/
