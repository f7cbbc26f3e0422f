# error
# no_wait_for_upload - a panel is multiplied before its rows of A have come
/cudaStreamWaitEvent(w->product, w->sent, 0)/d
