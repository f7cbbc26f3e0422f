# error
# unmended_lost - the same, after the second pass
s/needs |= find_unmended(info, row, sum)/needs = 0/
