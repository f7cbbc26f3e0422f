# expect 87: 0/8 product 7: .*divergent barrier
# Product 7: threads outside C leave before the first barrier, and nobody loads their part.
/==== 7:/,/==== 8:/ s/^    ELEMENT sum = 0;/    if (row >= m || column >= n)\n        return;\n&/
