# error at n = 385
# rows_of_first - each rank takes the rows of A of the first one
s/c->a + s->first \* (size_t)c->lda/c->a/
