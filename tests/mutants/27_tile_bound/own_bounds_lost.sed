# error
# own_bounds_lost - where one bound is not enough, nobody looks at the elements
s|needs = find_needs(info, row, sum)|needs = 0|
