# error at n = 385
# one_segment - all segments of a column lie where the first one belongs
s/k % BK \/ SEGMENT/0/
