# wgmma_no_wait_for_products - sums are read before the products are done: a planted fault. The suite must reject it.
s/wait_for_products<0>();/wait_for_products<7>();/
