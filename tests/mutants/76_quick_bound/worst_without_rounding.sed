# error at n = 385
# worst_without_rounding - the worst column has no errors of rounding
s/worst.rounding = fmaxf(worst.rounding, columns\[x\].rounding)/worst.rounding = 0/
