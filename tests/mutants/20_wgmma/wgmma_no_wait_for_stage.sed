# wgmma_no_wait_for_stage - products start before their stage has come: a planted fault. The suite must reject it.
s/^        wait_for_phase(.*);$/;/
