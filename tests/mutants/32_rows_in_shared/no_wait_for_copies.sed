# error
# no_wait_for_copies - a thread reads its part of the row without waiting for its copies
/__pipeline_wait_prior/d
