# expect 0: as if the sum began with a variable that nobody has set
s/ELEMENT sum = 0/ELEMENT sum/
