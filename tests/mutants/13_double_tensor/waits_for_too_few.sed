# error
# waits_for_too_few - the newest group that a stage needs is not waited for
s/__pipeline_wait_prior(STAGES - 2)/__pipeline_wait_prior(STAGES - 1)/
