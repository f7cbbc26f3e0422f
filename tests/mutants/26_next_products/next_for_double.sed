# error
# next_for_double - a sub-tile with both needs gets neither
s/} else if (needs)/} else if (needs == IN_DOUBLE)/
