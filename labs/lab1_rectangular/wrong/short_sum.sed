# expect 80: large inputs.*are wrong
# full
s/ELEMENT sum = 0/float sum = 0/
