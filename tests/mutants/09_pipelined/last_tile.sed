# last_tile - the copies end one tile early: a planted fault. The suite must reject it.
s/if (k_copied < k_end)/if (k_copied + BK < k_end)/
