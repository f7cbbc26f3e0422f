# error
# no_wait_for_product - rows of C go back before they are computed
/cudaStreamWaitEvent(w->down, timers/d
