# hang: 1 of 1 arrival missing
# bulk_waits_for_the_last_tile - the copies end one tile too early
s/next < tiles)/next + 1 < tiles)/
