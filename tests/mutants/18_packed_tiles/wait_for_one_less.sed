# error
# wait_for_one_less - waits for one group of copies too few
s/__pipeline_wait_prior(STAGES - 2)/__pipeline_wait_prior(STAGES - 1)/
