# error
# worst_without_middle - the worst column has a middle of 0
s/worst.middle = fmaxf(worst.middle, columns\[x\].middle)/worst.middle = 0/
