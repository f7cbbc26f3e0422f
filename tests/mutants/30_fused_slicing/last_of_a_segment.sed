# error
# last_of_a_segment - the last element of a segment is never the largest
/find_largest_bits(const/,/^}/s/i < SEGMENT/i < SEGMENT - 1/
