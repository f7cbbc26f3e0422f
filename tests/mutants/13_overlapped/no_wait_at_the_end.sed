# no_wait_at_the_end - the call returns while rows of C are on their way: a planted fault. The suite must reject it.
/finish_staged_copies();/d
