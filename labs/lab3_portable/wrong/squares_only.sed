# expect 33: right when
s/a\[row \* p/a[row * n/
