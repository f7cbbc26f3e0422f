# expect 42: are wrong
# full
s/a\[row \* p/a[row * n/
