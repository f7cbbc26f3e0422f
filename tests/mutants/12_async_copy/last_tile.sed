# last_tile - the copies end one tile early: a planted fault. The suite must reject it.
s/if (k < n) {/if (k + BK < n) {/
