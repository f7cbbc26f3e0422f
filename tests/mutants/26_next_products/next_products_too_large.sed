# error
# next_products_too_large - they are added with the weight of the level above
s|o.scale_a\[row\] / 256, o.scale_a\[row + 8\] / 256|o.scale_a[row], o.scale_a[row + 8]|
