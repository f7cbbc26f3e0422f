# worst_without_rounding - the worst column has no errors of rounding: a planted fault. The suite must reject it.
s/worst.rounding = fmaxf(worst.rounding, columns\[x\].rounding)/worst.rounding = 0/
