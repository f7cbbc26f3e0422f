# error
# unmended_lost - the same, after the second pass
s/needs = find_unmended(o, top, column, sum)/needs = 0/
