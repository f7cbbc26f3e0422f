# error
# no_barrier_before_change - the barrier before the tiles change is missing
/nobody needs them any more/d
