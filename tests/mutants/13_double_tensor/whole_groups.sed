# fault: past
# whole_groups - the last group of tiles has as many rows as the others
s/min(GROUP, n \/ BM - first)/GROUP/
