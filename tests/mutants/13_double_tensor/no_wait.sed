# error
# no_wait - nobody waits for the copies
s/__pipeline_wait_prior(.*);/;/
