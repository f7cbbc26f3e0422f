# same_half - loads the same 16 slices of B twice: a planted fault. The suite must reject it.
s/l + lane \/ 8 % 2/l/
