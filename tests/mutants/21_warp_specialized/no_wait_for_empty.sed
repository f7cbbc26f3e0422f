# fault: phase 0 expects 1 arrival and has had 1
# no_wait_for_empty - the producer does not wait until a stage is free
s/wait_for_phase(&pipe->empty\[pipe->index\].*);/;/
