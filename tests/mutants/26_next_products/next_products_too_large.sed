# error
# next_products_too_large - they are added with the weight of the level above
s| / 256);$|);|
