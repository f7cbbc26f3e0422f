# bulk_waits_for_more_bytes - the barrier expects more bytes than come: a planted fault. The suite must reject it.
s/arrive_and_expect(full, sizeof \*to)/arrive_and_expect(full, sizeof *to + 16)/
