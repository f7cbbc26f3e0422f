# expect 80: large inputs.*are wrong.*; as if the sum were a float
# full
s/ELEMENT sum = 0/float sum = 0/
