# error
# one_next_product - x2 y1 is left out
/start_products(sum\[1\], x + l + X2/d
