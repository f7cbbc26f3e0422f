# own_bounds_lost - where one bound is not enough, nobody looks at the elements: a planted fault. The suite must reject it.
s/wants = find_wants(.*/wants = 0;/
