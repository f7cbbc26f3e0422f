# no_wait - nobody waits for the copies: a planted fault. The suite must reject it.
s/__pipeline_wait_prior(.*);/;/
