# error
# next_products_too_large - they are added with the weight of the level above
s|info->scale_a\[y\] / 256, info->scale_a\[y + 8\] / 256|info->scale_a[y], info->scale_a[y + 8]|
