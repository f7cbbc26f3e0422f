# error
# padding_not_cleared - rows of B that pad n are what was in memory
/s->b + n \* s->count, 0,/,+1d
