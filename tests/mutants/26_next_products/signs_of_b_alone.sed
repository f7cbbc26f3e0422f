# error
# signs_of_b_alone - the signs are taken from B alone
s/^    take_signs(a,.*//
