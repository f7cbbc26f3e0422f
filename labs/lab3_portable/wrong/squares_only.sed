# expect 26: right when
s/a\[row \* p/a[row * n/
