# sent_too_soon - slices are sent before they are made: a planted fault. The suite must reject it.
/cudaStreamWaitEvent(other, r->received\[0\], 0)/d
