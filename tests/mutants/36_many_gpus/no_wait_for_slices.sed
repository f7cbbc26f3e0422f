# error
# no_wait_for_slices - the product does not wait for other ranks' slices
/cudaStreamWaitEvent(0, r->received\[i\], 0)/d
