# error at n = 385
# own_bounds_lost - where one bound is not enough, nobody looks at the elements
s/wants = find_wants(.*/wants = 0;/
