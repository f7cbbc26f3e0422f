# no_wait_for_empty - the producer does not wait until a stage is free: a planted fault. The suite must reject it.
s/wait_for_phase(&pipe->empty\[i\].*);/;/
