# expect 75: every element is wrong
# full
s/double sum = 0;$/float sum = 0;/
