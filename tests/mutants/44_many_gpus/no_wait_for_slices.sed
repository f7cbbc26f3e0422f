# no_wait_for_slices - the product does not wait for other ranks' slices: a planted fault. The suite must reject it.
s/if (i > 0)$/if (i > 100)/
