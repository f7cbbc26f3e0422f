# lost_carries - what the additions lost is forgotten: a planted fault. The suite must reject it.
s/partial\[i\]\[j + l\] -= next - sum\[l\];/partial[i][j + l] = 0;/
