# error
# worst_without_all - the worst column has a all of 0
s/worst.all = fmaxf(worst.all, columns\[x\].all)/worst.all = 0/
