# error
# wgmma_no_wait_for_stage - products start before their stage has come
s/^        wait_for_phase(.*);$/;/
