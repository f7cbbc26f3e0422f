# no_wait_for_upload - a panel is multiplied before its rows of A have come: a planted fault. The suite must reject it.
/cudaStreamWaitEvent(w->product, w->sent, 0)/d
