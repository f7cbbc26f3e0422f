# expect 85: compiled with TILE=16 and ELEMENT=float
# full
s/\bELEMENT\b/int/g
