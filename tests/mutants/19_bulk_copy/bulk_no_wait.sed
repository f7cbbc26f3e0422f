# error
# bulk_no_wait - threads do not wait until a stage has come
s/^        wait_for_phase(.*);$/;/
