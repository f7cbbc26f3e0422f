# last_tile - the copies end one tile early: a planted fault. The suite must reject it.
s/step = k < n ? BK/step = k + BK < n ? BK/
