# no_wait_for_product - rows of C go back before they are computed: a planted fault. The suite must reject it.
/cudaStreamWaitEvent(w->down, timers/d
