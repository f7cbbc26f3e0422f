# expect 0: a variable that nobody has set
# full
s/float sum\[EACH\]\[EACH\] = {}, partial/float sum[EACH][EACH], partial/
