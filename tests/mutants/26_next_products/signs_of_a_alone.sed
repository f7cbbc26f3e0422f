# error
# signs_of_a_alone - the signs are taken from A alone
s/^    take_signs(b,.*//
