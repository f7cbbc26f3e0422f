# error
# next_for_double - a sub-tile that needs double in one element gets the next products alone
s/if (needs & IN_DOUBLE)/if (needs == IN_DOUBLE)/
