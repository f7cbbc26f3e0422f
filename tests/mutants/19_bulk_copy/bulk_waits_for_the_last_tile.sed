# bulk_waits_for_the_last_tile - the copies end one tile too early: a planted fault. The suite must reject it.
s/next < tiles)/next + 1 < tiles)/
