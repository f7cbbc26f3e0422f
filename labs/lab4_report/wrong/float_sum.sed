# expect 75: every element is wrong
s/double sum = 0;$/float sum = 0;/
