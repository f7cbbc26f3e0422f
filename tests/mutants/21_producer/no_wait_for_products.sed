# no_wait_for_products - the sums are read before the products are done: a planted fault. The suite must reject it.
s/^    finish_products(level);/    ;/
