# error
# wait_for_all_but_one - the copies waited for are those before the last
s/__pipeline_wait_prior(0)/__pipeline_wait_prior(1)/
