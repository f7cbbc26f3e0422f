# expect 85: compiled with TILE=16 and ELEMENT=float, .*wrong: zero
# full
s/ELEMENT sum = 0/int sum = 0/
