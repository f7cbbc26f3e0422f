# error at n = 385
# bound_never_asked - the worst bound is not held against the sums
s/bool enough = !must_repeat(largest);/return __all_sync(~0u, !must_repeat(largest)); bool enough = true;/
