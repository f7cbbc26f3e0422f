# error
# own_bounds_lost - where one bound is not enough, nobody looks at the elements
s/: find_needs(o, row, column, sum)/: 0/
