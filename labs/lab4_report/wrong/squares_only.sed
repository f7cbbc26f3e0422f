# expect 23: never written
# full
s/double sum = 0;$/&\n    if (m != k || n != k) return;/
