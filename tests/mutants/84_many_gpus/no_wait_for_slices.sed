# error at n = 385
# no_wait_for_slices - the product does not wait for other ranks' slices
s/if (i > 0)$/if (i > 100)/
