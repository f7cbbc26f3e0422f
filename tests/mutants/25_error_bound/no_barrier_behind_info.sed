# error
# no_barrier_behind_info - a warp does not wait for the copies of the others
/^    __pipeline_wait_prior(0);/{
n
s/sync_warpgroup();//
}
