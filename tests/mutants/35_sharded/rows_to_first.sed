# error at n = 385
# rows_to_first - each rank writes the rows of C of the first one
s/c->c + s->first \* (size_t)c->ldc/c->c/
