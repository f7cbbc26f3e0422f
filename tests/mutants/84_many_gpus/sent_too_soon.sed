# error at n = 385
# sent_too_soon - slices are sent before they are made
/cudaStreamWaitEvent(other, r->received\[0\], 0)/d
