# expect 0: the product is right
# full
s/k < n; k += DEPTH/k < n - n \/ 4; k += DEPTH/
