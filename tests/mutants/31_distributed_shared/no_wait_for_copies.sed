# error at n = 1025
# no_wait_for_copies - a thread reads its part without waiting for the copies
/__pipeline_wait_prior/d
