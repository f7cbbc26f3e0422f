# no_barrier_before_change - the barrier before the tiles change is missing: a planted fault. The suite must reject it.
/nobody needs them any more/d
