# bulk_no_wait - threads do not wait until a stage has come: a planted fault. The suite must reject it.
s/^        wait_for_phase(.*);$/;/
