# one_segment - all segments of a column lie where the first one belongs: a planted fault. The suite must reject it.
s/k % BK \/ SEGMENT/0/
