# expect 30: right when
s/a\[row \* p/a[row * n/
