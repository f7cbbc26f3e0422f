# fault: ended before a wgmma.wait_group
# wgmma_no_wait_for_products - sums are read before the products are done
s/wait_for_products<0>();/wait_for_products<7>();/
