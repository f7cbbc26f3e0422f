# error
# rejected_lost - the same, after the second pass
s/needs |= find_rejected(info, row, sum)/needs = 0/
