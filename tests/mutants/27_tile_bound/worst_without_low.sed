# error
# worst_without_low - the worst column has a low of 0
s/worst.low = fmaxf(worst.low, columns\[x\].low)/worst.low = 0/
