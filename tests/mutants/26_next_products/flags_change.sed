# error
# flags_change - the second pass changes the flags that other warps go by
s/^    if (flagged)$//
