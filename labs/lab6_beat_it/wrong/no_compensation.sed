# expect 0: the error at n = 700
s/(k \/ DEPTH + 1) % (PARTIAL \/ DEPTH) == 0 || k + DEPTH >= n/k + DEPTH >= n/
