# error
# sent_too_soon - slices are sent before they are made
/cudaStreamWaitEvent(copies, r->received\[0\], 0)/d
