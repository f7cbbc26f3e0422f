# expect 0: x
s/^    ELEMENT sum = 0;/    ELEMENT sum = ;/
