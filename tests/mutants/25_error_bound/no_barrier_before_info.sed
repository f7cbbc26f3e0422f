# error
# no_barrier_before_info - the copies for the next tile begin while other warps still need those of the last
s/^    sync_warpgroup(); .. nobody needs.*//
