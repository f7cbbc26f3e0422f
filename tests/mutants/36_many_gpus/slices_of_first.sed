# error
# slices_of_first - each rank stores its slices as those of the first one
/o.left = (unsigned)s->first;/d
