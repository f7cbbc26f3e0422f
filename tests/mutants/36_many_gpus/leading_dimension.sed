# error
# leading_dimension - a rank reads its columns as if it had all of B
/o.ldb = s->count;/d
