# error
# no_wait_at_the_end - the call returns while rows of C are on their way
/finish_staged_copies();/d
