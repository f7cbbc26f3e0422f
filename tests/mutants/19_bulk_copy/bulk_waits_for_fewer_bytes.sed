# error
# bulk_waits_for_fewer_bytes - the barrier expects one slice of B less than comes
s/arrive_and_expect(full, sizeof \*to)/arrive_and_expect(full, sizeof *to - sizeof to->b[2])/
