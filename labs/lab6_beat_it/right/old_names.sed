# expect 100: times as fast
# The names of an older handout.
s/matmult_result/matmult_time/g
s/start_kernel_timer/kernel_timer_start/g
s/stop_kernel_timer/kernel_timer_stop/g
