# fault: ended before a wgmma.wait_group
# no_wait_for_products - the sums are read before the products are done
s/^    finish_products(sum);/    ;/
