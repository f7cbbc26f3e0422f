# fault: allocation
# full_height - the last group is taken for a whole one
s/height = min(GROUP, down - first)/height = GROUP/
