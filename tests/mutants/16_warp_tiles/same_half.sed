# error
# same_half - loads the same 16 slices of B twice
s/l + lane \/ 8 % 2/l/
