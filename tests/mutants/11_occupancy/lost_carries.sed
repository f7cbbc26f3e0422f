# error
# lost_carries - what the additions lost is forgotten
s/partial\[i\]\[j + l\] -= next - sum\[l\];/partial[i][j + l] = 0;/
