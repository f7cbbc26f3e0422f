# error early
# worst_without_rounding - the worst column has a rounding of 0
s/worst.rounding = fmaxf(worst.rounding, columns\[x\].rounding)/worst.rounding = 0/
