# expect 23: right when M = N = K
s/double sum = 0;$/&\n    if (m != k || n != k) return;/
