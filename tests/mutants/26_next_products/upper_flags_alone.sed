# error
# upper_flags_alone - a pair of tiles gets the next products if the upper one is flagged
s/? flags\[1\] : 0/? 0 : 0/
