# error
# last_tile - the copies end one tile early
s/step = k < n ? BK/step = k + BK < n ? BK/
