# error at n = 385
# columns_of_first - each rank takes the columns of B of the first one
s/c->b + s->first, /c->b, /
