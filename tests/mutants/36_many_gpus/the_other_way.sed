# error
# the_other_way - slices come from the rank before, and the product takes them for those of the rank behind
s/int from = (r->number + i) % r->count/int from = (r->number + r->count - i) % r->count/
s/to = (r->number + r->count - i) % r->count/to = (r->number + i) % r->count/
