# hang: 16 bytes missing
# bulk_waits_for_more_bytes - the barrier expects more bytes than come
s/arrive_and_expect(full, sizeof \*to)/arrive_and_expect(full, sizeof *to + 16)/
