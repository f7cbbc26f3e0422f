# wait_for_one_less - waits for one group of copies too few: a planted fault. The suite must reject it.
s/__pipeline_wait_prior(STAGES - 2)/__pipeline_wait_prior(STAGES - 1)/
