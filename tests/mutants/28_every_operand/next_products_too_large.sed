# next_products_too_large - they are added with the weight of the level above: a planted fault. The suite must reject it.
s|right.unit / 256)|right.unit)|
